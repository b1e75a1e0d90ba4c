/**
 * A program that follows the quotes of a place, as a node that serves does. It records when the board has
 * each version, and reports that when its parent says so.
 *
 * Usage: follower.ts URL INSTRUMENTS
 */
import { Board } from '../../../src/board/board.ts';
import { StoreFollower } from '../../../src/node/market/follow-store.ts';
import { PostgresPlace } from '../../../src/store/postgres/postgres-place.ts';
import { universeOf } from './universe.ts';
import { placeDeps } from '../../support/place-deps.ts';

/** What a follower has seen. */
export interface FollowerReport {
  /** Each version that the board received, and the instant at which it did, in epoch milliseconds. */
  readonly seen: readonly (readonly [version: number, at: number])[];
  readonly position: number;
  /** Processor time, in milliseconds. */
  readonly cpuMs: number;
}

const [url = '', count = ''] = process.argv.slice(2);
const universe = universeOf(Number(count));
const board = new Board(universe);
const place = new PostgresPlace(url, placeDeps);
const store = await place.open({ mode: 'read' });
const seen: [number, number][] = [];
let position = 0;
const follower = await StoreFollower.open({
  store: {
    readNewer: (version) => store.quotes.readNewer(version),
    subscribe: (onHint) =>
      store.hints.subscribe((what) => {
        if (what === 'quotes') onHint();
      }),
  },
  universe,
  publish: (quotes) => {
    board.adopt(quotes);
    const at = performance.timeOrigin + performance.now();
    for (const { version } of quotes) seen.push([version, at]);
    position = Math.max(position, quotes.at(-1)?.version ?? 0);
  },
  ...placeDeps,
  onFault: (fault) => process.stderr.write(`${String(fault)}\n`),
});
// The parent has failed.
process.once('disconnect', () => process.exit());
const before = process.cpuUsage();
process.send?.('ready');
process.once('message', async () => {
  const { user, system } = process.cpuUsage(before);
  follower[Symbol.dispose]();
  await store[Symbol.asyncDispose]();
  await place[Symbol.asyncDispose]();
  const report: FollowerReport = { seen, position, cpuMs: (user + system) / 1_000 };
  // A report that is still on its way when the channel closes is lost.
  process.send?.(report, undefined, undefined, () => process.disconnect?.());
});
