import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';

import { loadUniverse } from '../../src/universe/load-universe.ts';
import { widgetsOf } from '../../src/contract/openbb/widgets.ts';
import { project, textOf } from './blocks.ts';

const page = 'docs/integraciones/openbb.md';

const universe = await loadUniverse(join(project, 'universe'));
assert.ok(universe.ok);
const widgets = widgetsOf(universe.universe);

/** The parameters of a widget that its user may choose. */
function choices(id: string): readonly string[] {
  const widget = widgets[id] ?? assert.fail(`no widget ${id}`);
  const params = widget.type === 'table' ? widget.params : [];
  return params.filter(({ show }) => show !== false).map(({ paramName }) => paramName);
}

test(`${page} lists every widget with its path and its parameters`, () => {
  const rows = textOf(page).matchAll(/^- `(pizarra_\w+)` \(`(\/[\w/]+)`(.*?)\):/gm);
  const listed = Array.from(rows, ([, id = '', path = '', names = '']) => {
    const params = Array.from(names.matchAll(/`(\w+)`/g), ([, name]) => name);
    return [id, path, params];
  });
  const expected = Object.entries(widgets).map(([id, { endpoint }]) => [
    id,
    endpoint.startsWith('/') ? endpoint : `/${endpoint}`,
    choices(id),
  ]);
  assert.deepEqual(listed, expected);
});
