import assert from 'node:assert/strict';
import { test } from 'node:test';

import { StreamCounts } from '../../http/stream/stream-limits.ts';
import { SummedStreams, type StreamMember } from './summed-streams.ts';

/** A process with its streams. */
function processOf(sum: SummedStreams): {
  readonly counts: StreamCounts;
  readonly member: StreamMember;
} {
  const counts = new StreamCounts((count) => member.report(count));
  const member = sum.join((count) => counts.setElsewhere(count));
  return { counts, member };
}

test('the streams of a key are those of all processes, also of one that starts later', () => {
  const sum = new SummedStreams();
  const [one, two] = [processOf(sum), processOf(sum)];
  for (const { counts } of [one, one, two]) counts.opened('a');
  two.counts.opened('b');
  const three = processOf(sum);
  for (const { counts } of [one, two, three])
    assert.deepEqual([counts.of('a'), counts.of('b')], [3, 1]);
  one.counts.closed('a');
  two.counts.closed('b');
  for (const { counts } of [one, two, three])
    assert.deepEqual([counts.of('a'), counts.of('b')], [2, 0]);
});

test('the streams of a process that has ended are not counted', () => {
  const sum = new SummedStreams();
  const [one, two] = [processOf(sum), processOf(sum)];
  one.counts.opened('a');
  two.counts.opened('a');
  one.member[Symbol.dispose]();
  assert.equal(two.counts.of('a'), 1);
});
