import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';

import { yamlExcess } from './yaml-excess.ts';

const many = 50_000;

test('a text that the parser takes long for is found, whatever it consists of', () => {
  for (const [text, message] of [
    [`a: ${'['.repeat(many)}`, /brackets within one another/],
    ['['.repeat(many) + ']'.repeat(many), /brackets within one another/],
    ['{a: '.repeat(many), /brackets within one another/],
    [`a: 1\nb: [${'x, '.repeat(many)}]`, /values in brackets/],
    ['- '.repeat(many), /"- "/],
    ['? '.repeat(many), /"\? "/],
    [`${'&a '.repeat(many)}x`, /anchors/],
    [`${'!!str '.repeat(many)}x`, /tags/],
    ['a: '.repeat(many), /keys for one value/],
    [`{${'a: '.repeat(many)}}`, /keys for one value/],
    [`{a\n${': \n'.repeat(many)}}`, /keys for one value/],
  ] as const) {
    assert.match(yamlExcess(text)?.message ?? '', message, text.slice(0, 20));
  }
});

test('the place is that of the first character that is too much', () => {
  const { line, column } = yamlExcess(`ab: "x"\nc: ${'['.repeat(200)}`) ?? {};
  assert.deepEqual([line, column], [2, 3 + 100 + 1]);
});

test('files of the project, and brackets in texts and comments, are not', () => {
  const universe = join(import.meta.dirname, '../../../universe');
  for (const file of readdirSync(universe).filter((name) => name.endsWith('.yaml'))) {
    assert.equal(yamlExcess(readFileSync(join(universe, file), 'utf8')), undefined, file);
  }
  const brackets = '[{'.repeat(1_000);
  for (const text of [
    `a: "${brackets}"\nb: '${brackets}'\n# ${brackets}\nc: |\n  ${brackets}\n`,
    '- &a !!str x\n'.repeat(many),
    'key: value\n'.repeat(many),
    `a: [${'x, '.repeat(10_000)}]`,
    '',
  ]) {
    assert.equal(yamlExcess(text), undefined, text.slice(0, 20));
  }
});
