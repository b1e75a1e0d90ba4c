import { randomBytes } from 'node:crypto';

import { Metrics } from '../../../src/node/metrics/metrics.ts';
import { openPipeline } from '../../../src/node/market/open-pipeline.ts';
import { readinessOf } from '../../../src/node/metrics/readiness.ts';
import { issueKey } from '../../../src/auth/issue-key.ts';
import { KeyRing } from '../../../src/auth/key-ring.ts';
import type { Board } from '../../../src/board/board.ts';
import type { ApiKeyRecord, KeyScope } from '../../../src/domain/access/api-key.ts';
import { pushedOf } from '../../../src/feeds/push/read-pushed.ts';
import { createPrivateServer, type PrivateServerParts } from '../../../src/http/private-server.ts';
import { silentLog } from '../../../src/lib/reports/log.ts';
import { pushUpdates } from '../../../src/pipeline/live/push-updates.ts';
import { superviseFeeds } from '../../../src/pipeline/live/supervise-feeds.ts';
import type { QuoteStore } from '../../../src/store/contract/quote-store.ts';
import { temporaryDirectory } from '../program/program.ts';
import { sampleUniverse } from '../market/sample-market.ts';
import { testNow } from './start-test-server.ts';
import { clockAt } from '../market/clock-at.ts';
import { openTestStore } from '../program/test-store.ts';

/** A private listener on a real socket, with a real market and a real store. */
export interface TestPrivateServer extends AsyncDisposable {
  readonly url: string;
  readonly port: number;
  readonly board: Board;
  readonly metrics: Metrics;
  readonly directory: string;
  /** One key of each scope. */
  readonly keys: Readonly<Record<KeyScope, string>>;
  /** Pushes a body with a valid key. */
  push(
    body: string | Uint8Array<ArrayBuffer> | ReadableStream<Uint8Array>,
    headers?: Readonly<Record<string, string>>,
  ): Promise<Response>;
}

const clock = clockAt(() => testNow);

/** Starts a private listener. `wrapQuotes` may inject faults between the market and its store. */
export async function startPrivateServer(
  options: Partial<PrivateServerParts> & {
    readonly wrapQuotes?: (quotes: QuoteStore) => QuoteStore;
  } = {},
): Promise<TestPrivateServer> {
  await using cleanUp = new AsyncDisposableStack();
  const { path: directory } = cleanUp.use(await temporaryDirectory());
  const { wrapQuotes = (quotes: QuoteStore) => quotes, ...parts } = options;
  const real = cleanUp.use(await openTestStore(directory));
  const store = {
    history: real.history,
    actions: real.actions,
    indices: real.indices,
    terms: real.terms,
    keys: real.keys,
    quotes: wrapQuotes(real.quotes),
    bars: real.bars,
    memory: real.memory,
    hints: real.hints,
    [Symbol.asyncDispose]: () => Promise.resolve(),
  };
  const metrics = new Metrics({ version: '0.0.0' });
  const log = silentLog;
  const settleDelayMs = 900_000;
  const observer = metrics.pipeline();
  const universe = sampleUniverse;
  const market = cleanUp.use(
    await openPipeline({ universe, store, clock, log, settleDelayMs, observer }),
  );
  const { ingest, board, persist } = market;
  const feeds = cleanUp.use(
    superviseFeeds({
      feeds: [],
      pushed: [{ name: 'push', staleAfterMs: 60_000, markets: undefined }],
      ingest,
      universe,
      clock,
      random: Math.random,
      log,
    }),
  );
  const measured = { isSimulated: false, board, persist, acceptsUpdates: true };
  metrics.measure(() => ({ ...measured, feeds: () => feeds.states() }));

  const { ring, keys } = makeKeys();
  const server = cleanUp.use(
    createPrivateServer({
      instance: 'test',
      keyRing: ring,
      clock,
      log,
      push: (body) => pushUpdates(pushedOf(body), feeds.intake('push')),
      metrics: metrics.registry,
      readiness: () =>
        readinessOf({
          quotes: universe.instruments.filter((one) => board.quote(one) !== undefined).length,
          instruments: universe.instruments.length,
          commits: metrics.commitHealth,
          feeds: feeds.states(),
        }),
      observer: metrics.http('private'),
      // Do not wait for a refused body that is still arriving when a test ends.
      limits: { drainMs: 50 },
      updatesBodyBytesMax: 64 * 1024 * 1024,
      ...parts,
    }),
  );
  const { port } = await server.listen({ host: '127.0.0.1', port: 0 });
  const url = `http://127.0.0.1:${port}`;
  const running = cleanUp.move();
  return {
    url,
    port,
    board,
    metrics,
    directory,
    keys,
    push: (body, headers = {}) =>
      fetch(`${url}/updates`, {
        method: 'POST',
        headers: { authorization: `Bearer ${keys.ingest}`, ...headers },
        body,
        duplex: 'half',
      }),
    [Symbol.asyncDispose]: () => running.disposeAsync(),
  };
}

function makeKeys(): { ring: KeyRing; keys: Record<KeyScope, string> } {
  const records: ApiKeyRecord[] = [];
  const make = (scope: KeyScope): string => {
    const { key, record } = issueKey({ name: scope, scope }, { now: testNow, randomBytes });
    records.push(record);
    return key;
  };
  const keys = {
    read: make('read'),
    ingest: make('ingest'),
    metrics: make('metrics'),
    url: make('url'),
  };
  return { ring: new KeyRing(records), keys };
}
