import assert from 'node:assert/strict';
import { test } from 'node:test';

import {
  KnownLineage,
  judgeLineage,
  lineageText,
  parseLine,
  parseLineage,
  type Lineage,
} from './lineage.ts';

/** The lineage of a text such as `1/2, 1/1`. */
function lineage(text: string): Lineage {
  const parsed = parseLineage(text);
  assert.ok(parsed !== undefined, text);
  return parsed;
}

test('a server is judged by its system, its timeline, and what an operator has declared', () => {
  const cases = [
    // The server, what is known, the verdict.
    ['1/1', '1/1', 'current'],
    ['1/2', '1/1', 'current'],
    ['1/1', '1/2', 'older'],
    ['2/1', '1/1', 'other'],
    ['2/9', '1/1', 'other'],
    ['2/1, 1/3', '1/3', 'current'],
    ['2/1, 1/3', '1/2', 'current'],
    // It replaces line 3, and not what was written after a later promotion.
    ['2/1, 1/3', '1/4', 'other'],
    // The replaced server was started again.
    ['1/3', '2/1, 1/3', 'older'],
    ['1/1', '2/1, 1/3', 'older'],
    // A return to an older line, declared by the operator, and the line that was left.
    ['1/1, 1/2', '1/2', 'current'],
    ['1/2', '1/1, 1/2', 'older'],
    ['1/2, 1/2', '1/1, 1/2', 'current'],
    ['3/1, 2/1, 1/3', '1/3', 'current'],
  ] as const;
  for (const [server, known, verdict] of cases) {
    assert.equal(
      judgeLineage(lineage(server), lineage(known)),
      verdict,
      `${server} after ${known}`,
    );
  }
  assert.equal(judgeLineage(lineage('1/1'), undefined), 'current');
});

test('what is known only rises, and each rise is told once', () => {
  const known = new KnownLineage();
  const told: string[] = [];
  const subscription = known.subscribe((current) => told.push(lineageText(current)));
  const verdicts = ['1/1', '1/1', '1/2', '1/1', '2/1', '2/1, 1/2', '1/2'].map((text) =>
    known.meet(lineage(text)),
  );
  assert.deepEqual(verdicts, [
    'current',
    'current',
    'current',
    'older',
    'other',
    'current',
    'older',
  ]);
  subscription[Symbol.dispose]();
  known.meet(lineage('2/2, 1/2'));
  assert.deepEqual(told, ['1/1', '1/2', '2/1, 1/2']);
  assert.equal(lineageText(known.current as Lineage), '2/2, 1/2');
});

test('a text that is no line is none', () => {
  assert.deepEqual(parseLine(' 18446744073709551615/4294967295 '), {
    system: '18446744073709551615',
    timeline: 4_294_967_295,
  });
  for (const text of [
    '',
    '1',
    '1/0',
    '1/',
    '/1',
    '1/2/3',
    'a/1',
    '1/-1',
    '1/1.5',
    '1'.repeat(21),
  ]) {
    assert.equal(parseLine(text), undefined, text);
    assert.equal(parseLineage(`1/1,${text}`), undefined, text);
  }
});
