import assert from 'node:assert/strict';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';

/** Compares a generated file of the project with what it should be. With `UPDATE_DOCS=1`, writes it. */
export function assertGenerated(path: string, make: (old: string) => string): void {
  const file = new URL(`../../${path}`, import.meta.url);
  const old = existsSync(file) ? readFileSync(file, 'utf8') : '';
  const text = make(old);
  if (process.env['UPDATE_DOCS'] === '1') writeFileSync(file, text);
  else assert.ok(old === text, `${path} is old: run npm run docs`);
}
