import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { JsonArraySplitter } from './json-array-splitter.ts';

/** Where a text is cut, and whether each complete element is taken before its comma arrives. */
interface Way {
  readonly cuts: readonly number[];
  readonly isEager: boolean;
}

/** Splits a text, and returns the parsed elements and the parsed outline. */
function split(text: string, { cuts, isEager }: Way): { values: unknown[]; outline: unknown } {
  const bounds = [0, ...cuts.map((cut) => cut % (text.length + 1)).sort((a, b) => a - b)];
  const splitter = new JsonArraySplitter();
  const values: unknown[] = [];
  for (const [index, from] of bounds.entries()) {
    const runs = [...splitter.push(text.slice(from, bounds[index + 1]))];
    const whole = isEager ? splitter.takeWhole() : undefined;
    if (whole !== undefined) runs.push(whole);
    for (const run of runs) values.push(...(JSON.parse(`[${run}]`) as unknown[]));
  }
  return { values, outline: JSON.parse(splitter.outline) };
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

const ways = fc.record({ cuts: fc.array(fc.nat()), isEager: fc.boolean() });

test('an array gives the same elements as JSON.parse, wherever the text is cut', () => {
  fc.assert(
    fc.property(fc.array(fc.jsonValue()), ways, fc.constantFrom(0, 2), (array, way, indent) => {
      const text = JSON.stringify(array, null, indent);
      const { values, outline } = split(text, way);
      assert.deepEqual(values, JSON.parse(text));
      assert.deepEqual(outline, []);
    }),
  );
});

test('an array in an object gives its elements, and the rest of the object is the outline', () => {
  const others = fc.dictionary(
    fc.string(),
    fc.oneof(fc.integer(), fc.string(), fc.constant({ a: [1] })),
  );
  fc.assert(
    fc.property(others, fc.array(fc.jsonValue()), ways, (rest, array, way) => {
      const object = { ...rest, 'the body': array };
      const { values, outline } = split(JSON.stringify(object), way);
      assert.deepEqual(values, JSON.parse(JSON.stringify(array)));
      assert.deepEqual(outline, JSON.parse(JSON.stringify({ ...object, 'the body': [] })));
    }),
  );
});

test('a text that is not valid JSON is refused, wherever it is cut', () => {
  const unit = fc.constantFrom('[', ']', '{', '}', ',', ':', '"', '"a"', '1', ' ', '\\', '{"a":1}');
  fc.assert(
    fc.property(fc.string({ unit }), ways, (inside, way) => {
      const text = `[${inside}]`;
      if (isJson(text)) assert.deepEqual(split(text, way).values, JSON.parse(text));
      else assert.throws(() => split(text, way), SyntaxError);
    }),
    { numRuns: 2_000 },
  );
});

test('a run is returned as soon as the comma after it arrives, also alone', () => {
  const splitter = new JsonArraySplitter();
  assert.deepEqual(splitter.push('[1'), []);
  assert.deepEqual(splitter.push(',2'), ['1']);
  assert.equal(splitter.pending, '2');
  assert.deepEqual(splitter.push(',3,4'), ['2,3']);
  assert.equal(splitter.pending, '4');
  assert.deepEqual(splitter.push(']'), ['4']);
});

test('a complete object or array is taken before its comma, and any other element waits for it', () => {
  for (const [pushed, taken] of [
    ['[{"a":1}', '{"a":1}'],
    ['[[1] ', '[1] '],
    ['[1', undefined],
    ['[{"a":1', undefined],
    ['["}', undefined],
    ['["}"', undefined],
    ['[', undefined],
    ['{"a":1', undefined],
    ['{"a":[1]}', undefined],
  ] as const) {
    const splitter = new JsonArraySplitter();
    splitter.push(pushed);
    assert.equal(splitter.takeWhole(), taken, pushed);
    assert.equal(splitter.takeWhole(), undefined, 'an element is taken once');
  }
});

const taken = (): JsonArraySplitter => {
  const splitter = new JsonArraySplitter();
  splitter.push('[{}');
  assert.equal(splitter.takeWhole(), '{}');
  return splitter;
};

test('after an element that was taken, only a comma or the end of the array may follow', () => {
  assert.deepEqual(taken().push(' , 2]'), [' 2']);
  assert.deepEqual(taken().push(' ]'), []);
  const missing = new SyntaxError('a comma is missing');
  assert.throws(() => taken().push(' {},'), missing);
  assert.throws(() => taken().push('1]'), missing);
  assert.throws(() => taken().push(',]'), new SyntaxError('an element is missing'));
});

test('an element that is missing is reported where the array continues and where it ends', () => {
  const missing = new SyntaxError('an element is missing');
  for (const texts of [['[ , '], ['[1,', ' ,'], ['[1,', ' ]'], ['[1', ',', ']']]) {
    const splitter = new JsonArraySplitter();
    const pushAll = () => texts.map((text) => splitter.push(text));
    assert.throws(pushAll, missing, texts.join('|'));
  }
  assert.deepEqual(new JsonArraySplitter().push('[ ]'), []);
});

const arraysIn = (text: string): number => {
  const splitter = new JsonArraySplitter();
  splitter.push(text);
  return splitter.arrays;
};

test('the arrays of an object are counted, and one within an element or a second document is none', () => {
  assert.equal(arraysIn('{"a":[1],"b":{"c":[2]},"d":[[3]]}'), 2);
  assert.equal(arraysIn('[1,[2],{"a":[3]}]'), 1);
  assert.equal(arraysIn('[1][2]'), 1);
});
