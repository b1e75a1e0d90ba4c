import { Board } from '../../../src/board/board.ts';
import type { Ticker } from '../../../src/domain/instruments/ticker.ts';
import type { PublicServerParts } from '../../../src/http/public-server.ts';
import { startTestServer, testNow, type TestServer } from '../../support/http/start-test-server.ts';
import { makeRecipeMarket, quoteOf } from './recipe-market.ts';
import { testStamp } from '../../support/market/test-change.ts';

const dayMs = 86_400_000;

/** A service for the tools of other people, on a real port, at 17:00 of a Friday in November 2026. */
export interface RecipeService extends AsyncDisposable {
  readonly server: TestServer;
  /** The address of the service, without a slash at the end. */
  readonly url: string;
  /** A key for the header Authorization. */
  readonly key: string;
  /** A key for URLs. */
  readonly urlKey: string;
  /** The address of the service with the key for URLs, without a slash at the end. */
  readonly keyedUrl: string;
  /** Publishes a later quote of an instrument. */
  show(ticker: string, last: number): void;
}

/**
 * Starts a service with the market of `recipe-market.ts` that accepts keys for URLs. It runs in the
 * process of the test, so a tool must be run with `runTool`: a synchronous call would block the service.
 */
export async function startRecipeService(
  parts: Partial<PublicServerParts> = {},
): Promise<RecipeService> {
  const { universe, quotes, closes, actions } = await makeRecipeMarket();
  const board = new Board(universe);
  board.adopt(quotes);
  const server = await startTestServer({ board, actions: () => actions, urlKeys: true, ...parts });
  await server.store.history.transaction(async (transaction) => {
    for (const [ticker, series] of closes) await transaction.put(ticker, series);
  }, testStamp);
  server.revisions.increase([...closes.keys()]);
  const urlKey = await server.issue({ scope: 'url', expiresAt: testNow + 30 * dayMs });
  let version = universe.instruments.length;
  const url = `http://127.0.0.1:${server.port}`;
  return {
    server,
    url,
    key: server.key,
    urlKey,
    keyedUrl: `${url}/clave/${urlKey}`,
    show: (ticker, last) => {
      version += 1;
      board.adopt([quoteOf(universe.get(ticker as Ticker), { last, version })]);
    },
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
  };
}
