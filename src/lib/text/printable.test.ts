import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { printable, printableJson, printableLines } from './printable.ts';

// oxlint-disable-next-line no-control-regex
const actedOn = /[\u0000-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/u;

test('control characters and direction marks are escaped, and letters are unchanged', () => {
  assert.equal(printable('\u001b[2J a\tb\r\n'), String.raw`\u001b[2J a\u0009b\u000d\u000a`);
  assert.equal(printable('\u009b31m \u007f'), String.raw`\u009b31m \u007f`);
  assert.equal(printable('gpj.\u202evsc \u2066x\u2069'), String.raw`gpj.\u202evsc \u2066x\u2069`);
  assert.equal(printable('Máximo ñandú ÿ 株価 𝒳 €'), 'Máximo ñandú ÿ 株価 𝒳 €');
});

test('no character that a terminal interprets remains, in a line, in several lines and in a line of JSON', () => {
  const unit = fc.oneof(
    fc.integer({ min: 0, max: 0x2100 }).map((code) => String.fromCharCode(code)),
    fc.constantFrom('\\', '"', 'u', '\\u001b', '\u001b[31m'),
  );
  fc.assert(
    fc.property(fc.string({ unit }), (text) => {
      assert.doesNotMatch(printable(text), actedOn);
      assert.doesNotMatch(printableLines(text).replaceAll('\n', ''), actedOn);
      const json = JSON.stringify({ text });
      assert.deepEqual(JSON.parse(printableLines(json)), { text }, 'the JSON has the same value');
      const shown = JSON.parse(printableJson(json)) as { text: string };
      assert.doesNotMatch(shown.text.replaceAll(/[\n\t]/g, ''), actedOn);
      assert.ok(!/^[ -~]*$/.test(text) || shown.text === text, 'plain text is unchanged');
    }),
    { numRuns: 1_000 },
  );
});

test('line feeds stay in several lines, and other unsafe characters are escaped', () => {
  assert.equal(printableLines('a\nb\r\n\u001b'), 'a\nb\\u000d\n\\u001b');
});
