import { ResponseMemory, type Answering } from '../../../src/http/answers/answers.ts';
import { ReadQueue } from '../../../src/http/answers/read-queue.ts';
import type { Caller } from '../../../src/http/handler/request.ts';
import { systemClock, type Clock } from '../../../src/lib/time/clock.ts';
import { clockAt } from '../market/clock-at.ts';

/** A caller without a key, who does not leave. */
export const nobody: Caller = { key: undefined, departure: undefined };

/** What the answers of the paths have, for a test that starts no server. */
export function testAnswering({
  clock = clockAt(() => 0),
  bytesMax = 2 ** 20,
  tickersMax = 500,
}: {
  readonly clock?: Clock;
  readonly bytesMax?: number;
  readonly tickersMax?: number;
} = {}): Answering {
  const queue = new ReadQueue({ readWaitMsMax: 60_000, readsMax: 8, clock: systemClock });
  return { memory: new ResponseMemory({ clock, queue, bytesMax }), tickersMax, suggest: () => [] };
}
