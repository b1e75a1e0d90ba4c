import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { collectGarbage } from '../../../test/support/heap-mib.ts';
import { LineSplitter, type TextLine } from './line-splitter.ts';

function split(
  bytes: Uint8Array,
  cuts: readonly number[],
  lineCharsMax = 1000,
): readonly TextLine[] {
  const splitter = new LineSplitter({ lineCharsMax });
  const bounds = [0, ...cuts.map((cut) => cut % (bytes.length + 1)).sort((a, b) => a - b)];
  const lines = bounds.flatMap((from, index) =>
    splitter.push(bytes.subarray(from, bounds[index + 1] ?? bytes.length)),
  );
  return [...lines, ...splitter.end()];
}

const encoder = new TextEncoder();

test('the lines and their numbers do not depend on where the chunks are cut, also within a character', () => {
  fc.assert(
    fc.property(
      fc.array(fc.string({ unit: fc.constantFrom('a', '"', 'ó', '€', '𝒳', ' ') })),
      fc.constantFrom('\n', '\r\n'),
      fc.boolean(),
      fc.array(fc.nat()),
      (texts, newline, hasFinalNewline, cuts) => {
        const last = texts.at(-1);
        fc.pre(hasFinalNewline || last !== '');
        const end = hasFinalNewline && texts.length > 0 ? newline : '';
        assert.deepEqual(
          split(encoder.encode(texts.join(newline) + end), cuts),
          texts
            .map((text, index) => ({ number: index + 1, text }))
            .filter(({ text }) => text.trim() !== ''),
        );
      },
    ),
  );
});

test('a line over the limit is reported by its number, and the lines around it are unaffected', () => {
  fc.assert(
    fc.property(fc.array(fc.nat()), (cuts) => {
      const bytes = encoder.encode(
        `one\n${'x'.repeat(11)}\n${'y'.repeat(10)}\r\n\n${'z'.repeat(99)}`,
      );
      assert.deepEqual(split(bytes, cuts, 10), [
        { number: 1, text: 'one' },
        { number: 2, isTooLong: true },
        { number: 3, text: 'yyyyyyyyyy' },
        { number: 5, isTooLong: true },
      ]);
    }),
  );
});

test('a line over the limit ends with its newline, though it comes in a later chunk', () => {
  const splitter = new LineSplitter({ lineCharsMax: 10 });
  assert.deepEqual(splitter.push(encoder.encode('x'.repeat(30))), []);
  assert.deepEqual(splitter.push(encoder.encode('\n\nok\n')), [
    { number: 1, isTooLong: true },
    { number: 3, text: 'ok' },
  ]);
});

test('blank lines are counted but not returned, whatever their line endings', () => {
  const blank = encoder.encode('\n\r\n \t\n'.repeat(100_000));
  const splitter = new LineSplitter({ lineCharsMax: 1000 });
  assert.deepEqual(splitter.push(blank), []);
  assert.deepEqual(splitter.push(encoder.encode('one\n')), [{ number: 300_001, text: 'one' }]);
  assert.deepEqual(splitter.end(), []);
});

test('a leading byte order mark is dropped', () => {
  assert.deepEqual(split(encoder.encode('\u{FEFF}one\n'), []), [{ number: 1, text: 'one' }]);
});

/** The memory in use after a collection, with that of buffers, in bytes. */
function used(): number {
  collectGarbage();
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}

test('the text of a line over the limit is not kept in memory', () => {
  const chunk = encoder.encode('x'.repeat(2 ** 20));
  const splitter = new LineSplitter({ lineCharsMax: 1000 });
  const before = used();
  for (let count = 0; count < 32; count += 1) splitter.push(chunk);
  assert.ok(used() - before < 8 * 2 ** 20);
  assert.deepEqual(splitter.end(), [{ number: 1, isTooLong: true }]);
});
