import { Board } from '../../src/board/board.ts';
import { quotesOfStored } from '../../src/domain/quotes/stored-quote.ts';
import { sampleUniverse } from '../support/market/sample-market.ts';
import { boardSuite } from './board-suite.ts';
import { openFollowingBoard } from './followed-store.ts';
import { openPlace } from '../../src/node/place/open-place.ts';
import { temporaryDirectory } from '../store/temporary-directory.ts';

boardSuite('local', sampleUniverse, () => {
  const board = new Board(sampleUniverse);
  return {
    publish: (quotes) => board.adopt(quotesOfStored(sampleUniverse, quotes)),
    board,
    settled: () => Promise.resolve(),
    [Symbol.asyncDispose]: () => Promise.resolve(),
  };
});

boardSuite('sqlite', sampleUniverse, async (t) =>
  openFollowingBoard(t, {
    universe: sampleUniverse,
    place: openPlace(await temporaryDirectory(t)),
  }),
);
