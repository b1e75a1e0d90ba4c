import type { TestContext } from 'node:test';

import { Board } from '../../src/board/board.ts';
import { StoreFollower } from '../../src/node/market/follow-store.ts';
import type { Universe } from '../../src/domain/instruments/universe.ts';
import type { StorePlace } from '../../src/store/contract/place.ts';
import { placeDeps } from '../support/postgres/postgres-place.ts';
import { until } from '../support/wait.ts';
import type { TestBoard } from './board-suite.ts';

/** Opens a board that follows a store. The writer and the board have connections of their own. */
export async function openFollowingBoard(
  t: TestContext,
  { universe, place }: { readonly universe: Universe; readonly place: StorePlace },
): Promise<TestBoard> {
  await using cleanUp = new AsyncDisposableStack();
  const writer = cleanUp.use(await place.open({ mode: 'create' }));
  const store = cleanUp.use(await place.open({ mode: 'read' }));
  const board = new Board(universe);
  let arrived = 0;
  let published = 0;
  const follower = cleanUp.use(
    await StoreFollower.open({
      store: {
        readNewer: (version) => store.quotes.readNewer(version),
        subscribe: (onHint) => store.hints.subscribe(onHint),
      },
      universe,
      publish: (quotes) => {
        board.adopt(quotes);
        arrived = Math.max(arrived, ...quotes.map(({ version }) => version));
      },
      ...placeDeps,
      onFault: (fault) => t.diagnostic(String(fault)),
    }),
  );
  const running = cleanUp.move();
  return {
    board,
    publish: async (quotes) => {
      published = Math.max(published, ...quotes.map(({ version }) => version));
      await writer.quotes.commit({ quotes, closes: [] });
    },
    settled: () =>
      until('the quotes arrive', () => arrived >= published && follower.ageMs < 5_000).then(
        () => undefined,
      ),
    [Symbol.asyncDispose]: () => running.disposeAsync(),
  };
}
