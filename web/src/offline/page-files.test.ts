import assert from 'node:assert/strict';
import { test } from 'node:test';

import { isPageOf, isWholePage } from './page-files.ts';

test('only the page of its own folder is answered without a network, below any base path', () => {
  assert.ok(isPageOf('/', '/'));
  assert.ok(isPageOf('/v5/', '/v5/'));
  assert.ok(isPageOf('/v5/', '/v5/index.html'));
  for (const path of ['/', '/v5', '/v5/healthz', '/v5/cotizaciones', '/otro/index.html']) {
    assert.ok(!isPageOf('/v5/', path), path);
  }
});

test('a page is stored only with all files that it names, and not with those of another version', () => {
  const html =
    '<link rel="stylesheet" href="./assets/a-1.css"><script type="module" src="./assets/b-2.js">';
  assert.ok(isWholePage(html, ['assets/a-1.css', 'assets/b-2.js', 'assets/c-3.js']));
  assert.ok(!isWholePage(html, ['assets/a-1.css', 'assets/b-3.js']));
  assert.ok(!isWholePage('<h1>Bad gateway</h1>', ['assets/a-1.css']));
});
