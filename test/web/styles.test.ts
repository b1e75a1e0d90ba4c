import assert from 'node:assert/strict';
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';

const styles = join(import.meta.dirname, '../../web/src/styles');
/** The files that give names to values, and the typeface. */
const named = new Set(['tokens.css', 'breakpoints.css', 'typeface.css']);

/** The declarations of the styles that use tokens, each with its file. Values that a rule names itself are left out. */
const declarations = readdirSync(styles)
  .filter((name) => name.endsWith('.css') && !named.has(name))
  .flatMap((name) => {
    const text = readFileSync(join(styles, name), 'utf8').replaceAll(/\/\*.*?\*\//gs, '');
    const found = text.matchAll(/(?<=[;{]\s*)([a-z][\w-]*):\s*([^;{}]+);/g);
    return Array.from(found, ([, property = '', value = '']) => ({ name, property, value }));
  });

/** The declarations of some properties whose values contain a literal. */
function literals(properties: RegExp, literal: RegExp): readonly string[] {
  return declarations
    .filter(({ property, value }) => properties.test(property) && literal.test(value))
    .map(({ name, property, value }) => `${name}: ${property}: ${value}`);
}

test('every colour has a name', () => {
  assert.ok(declarations.length > 1_000);
  assert.deepEqual(literals(/./, /#[\da-f]{3,8}\b|\b(?:rgb|hsl|oklch|light-dark)\(/i), []);
});

test('every size of type is one of the scale, or relative to the text around it', () => {
  assert.deepEqual(literals(/^font(?:-size)?$/, /\d(?:px|pt|rem)/), []);
});

test('every space is one of the scale, or a hairline', () => {
  const spaces = /^(?:padding|margin|gap|row-gap|column-gap|scroll-)/;
  // The arrow of a header takes no room.
  const own = /^board\.css: margin: 0 .* calc\(-7px/;
  const found = literals(spaces, /(?<![\w.])(?!1px)\d+(?:\.\d+)?px/);
  assert.deepEqual(
    found.filter((one) => !own.test(one)),
    [],
  );
});

test('every corner and every shadow has a name', () => {
  assert.deepEqual(literals(/radius$/, /(?<![\w.])(?!99px)\d+px/), []);
  assert.deepEqual(literals(/^box-shadow$/, /(?:^|[^\w-])\d+px \d+px \d+px/), []);
});
