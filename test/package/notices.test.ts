/**
 * The notices of third parties and the list of packages for the bill of materials, as the build of the
 * playground wrote them.
 */
import assert from 'node:assert/strict';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';

import { bundledPaths } from '../../scripts/package/bundle.ts';
import { packageNotices } from '../../scripts/package/package-notices.ts';
import { addComponentsWithin, browserPackages } from '../../scripts/release/browser-components.ts';
import { readPlayground } from '../../src/http/content/playground-file.ts';
import { browserNotices } from '../../web/build/notices/browser-notices.ts';
import { LicenceTable } from '../../web/build/notices/licence-table.ts';
import { noticesName } from '../../web/build/notices/names.ts';
import { noticesText } from '../../web/build/notices/notices-text.ts';
import { takenPackages } from '../../web/build/notices/taken-packages.ts';
import { project } from '../docs/blocks.ts';
import { temporaryDirectory } from '../support/program/program.ts';

const built = join(project, 'web/dist');
const read = (path: string): string => readFileSync(join(project, path), 'utf8');
const listed = await browserPackages(project);

test('the pages contain the packages that they import', () => {
  const names = new Set(listed.map(({ name }) => name));
  const imported = ['preact', '@preact/signals', 'lightweight-charts'];
  // What these import, and a font, which only a stylesheet names.
  const more = ['@preact/signals-core', 'fancy-canvas', '@fontsource-variable/inter'];
  assert.deepEqual(
    [...imported, ...more].filter((name) => !names.has(name)),
    [],
  );
  const { version } = JSON.parse(read('node_modules/preact/package.json')) as { version: string };
  assert.equal(listed.find(({ name }) => name === 'preact')?.version, version);
  // Build tools whose helpers are in the pages are no part of the bill.
  assert.ok(!names.has('vite'));
});

test('the notices of the pages have every package, its copyright and its licence, and are served', async () => {
  const notices = read(`web/dist/${noticesName}`);
  for (const { name, version, within } of listed) {
    assert.ok(notices.includes(`\n${name} ${version}: `), name);
    for (const one of within) assert.ok(notices.includes(`\n${one.name} (within ${name}): `));
  }
  assert.match(notices, /Copyright \(c\) 2015-present Jason Miller/);
  assert.match(notices, /SIL OPEN FONT LICENSE Version 1\.1/);
  assert.match(notices, /TradingView Lightweight Charts™/);
  const served = await readPlayground(built);
  const file = served.find(({ name }) => name === noticesName) ?? assert.fail('not served');
  const [type] = file.body.pick(['identity'])?.fields.list.slice(1) ?? [];
  assert.equal(type, 'text/plain; charset=utf-8');
  assert.ok(!served.some(({ name }) => name.startsWith('.')));
});

test('the notices of the package also have every package of the service', async () => {
  const notices = await packageNotices(project);
  const lock = JSON.parse(read('package-lock.json')) as {
    readonly packages: Readonly<
      Record<string, { readonly version: string; readonly dev?: boolean }>
    >;
  };
  const paths = bundledPaths(lock.packages);
  assert.ok(paths.length > 30);
  for (const path of paths) {
    const name = path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length);
    assert.ok(notices.includes(`\n${name} ${lock.packages[path]?.version}: `), path);
  }
  assert.ok(notices.endsWith(read(`web/dist/${noticesName}`)));
});

test('every entry of the table of licences is needed', async () => {
  const notices = await packageNotices(project);
  const needed = (name: string): boolean =>
    notices.includes(`\n${name} (within `) ||
    new RegExp(`\n${RegExp.escape(name)} [0-9]`).test(notices);
  assert.deepEqual(
    new LicenceTable().names().filter((name) => !needed(name)),
    [],
  );
});

test('the chart shows the notice of its library, as the library states it', () => {
  const library = read('node_modules/lightweight-charts/dist/lightweight-charts.production.mjs');
  const [, year] = /Copyright \(c\) (\d{4}) TradingView, Inc\./.exec(library) ?? assert.fail();
  assert.ok(read('web/src/chart/drawing/chart-frame.tsx').includes(`© ${year} TradingView, Inc.`));
  assert.ok(read(`web/dist/${noticesName}`).includes(`(c) ${year} TradingView, Inc.`));
});

test('a package whose licence is not known ends the build, also within the bundle of another one', async () => {
  await using directory = await temporaryDirectory();
  const folder = join(directory.path, 'node_modules/@some/widget');
  mkdirSync(join(folder, 'dist'), { recursive: true });
  const manifest = { name: '@some/widget', version: '1.2.3', license: 'MIT' };
  writeFileSync(join(folder, 'package.json'), JSON.stringify(manifest));
  const script = join(folder, 'dist/widget.js');
  const notices = (): string => {
    const taken = takenPackages([`${script}?url`, '/project/web/src/main.tsx'], directory.path);
    const found = taken.map((one) => browserNotices(one, new LicenceTable()));
    return noticesText(
      '',
      found.flatMap(({ own, within, comments }) => [own, ...within, ...comments]),
    );
  };
  assert.throws(notices, /The package @some\/widget has no licence file/);
  writeFileSync(join(folder, 'LICENSE.md'), 'Copyright Some One\n\nDo as you like.');
  assert.match(notices(), /@some\/widget 1\.2\.3: MIT\n\nCopyright Some One\n\nDo as you like\.\n/);
  const sources = [
    'webpack://widget/./node_modules/fancy-canvas/index.js',
    'webpack://widget/./src/a.js',
  ];
  writeFileSync(`${script}.map`, JSON.stringify({ sources }));
  writeFileSync(`${script}.LICENSE.txt`, '/*! cut out */');
  assert.match(
    notices(),
    /\nfancy-canvas \(within @some\/widget\): MIT\n {4}Copyright \(c\) 2019 TradingView/,
  );
  assert.match(notices(), /\/\*! cut out \*\//);
  sources.push('webpack://widget/./node_modules/unheard-of/index.js');
  writeFileSync(`${script}.map`, JSON.stringify({ sources }));
  assert.throws(notices, /The package unheard-of within @some\/widget has no licence file/);
});

test('the bill of materials must have a component for each package of the pages', () => {
  const components = listed.map(({ name }) => ({ name, 'bom-ref': `${name}@1` }));
  const within = [{ name: 'inner', licence: 'MIT' }];
  const bundles = listed.map((one) => (one.name === 'preact' ? { ...one, within } : one));
  const bill = addComponentsWithin({ components }, bundles);
  const bundle = bill.components.find(({ name }) => name === 'preact');
  const { components: inner = [] } = bundle as { components?: readonly { name: string }[] };
  assert.deepEqual(
    inner.map(({ name }) => name),
    ['inner'],
  );
  assert.throws(() => addComponentsWithin({ components: components.slice(1) }, listed), /lacks/);
});
