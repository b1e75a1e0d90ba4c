import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import type { Ticker } from '../../src/domain/instruments/ticker.ts';
import type { Universe } from '../../src/domain/instruments/universe.ts';
import type { Update } from '../../src/domain/quotes/update.ts';
import { pizarraType } from '../../src/feeds/pizarra/index.ts';
import type { PizarraConfig } from '../../src/feeds/pizarra/origin.ts';
import { Secrets } from '../../src/feeds/contract/secrets.ts';
import { silentLog } from '../../src/lib/reports/log.ts';
import { pauseInRealTime } from '../../src/lib/time/pause.ts';
import { openPipeline, type Pipeline } from '../../src/node/market/open-pipeline.ts';
import { superviseFeeds, type FeedSupervisor } from '../../src/pipeline/live/supervise-feeds.ts';
import { openMarket } from '../../src/node/market/market.ts';
import { StoreDamage } from '../../src/store/contract/store-fault.ts';
import type { Store } from '../../src/store/contract/store.ts';
import { startTestServer, type TestServer } from '../support/http/start-test-server.ts';
import { clockAt } from '../support/market/clock-at.ts';
import { openTestStore } from '../support/program/test-store.ts';

/** The time of both services, which a test sets. */
export interface TestTime {
  now: number;
}

/** A service with its store, from the feeds to the public listener. */
export interface TestService extends AsyncDisposable {
  readonly pipeline: Pipeline;
  readonly server: TestServer;
  readonly store: Store;
  /** Folds updates of a source. */
  submit(
    updates: readonly Update[],
    source?: { name: string; delayMinutes?: number },
  ): Promise<void>;
}

/** Opens a service with an empty store. */
export async function openService(
  universe: Universe,
  { time, before }: { readonly time: TestTime; readonly before?: (store: Store) => Promise<void> },
): Promise<TestService> {
  await using cleanUp = new AsyncDisposableStack();
  const directory = await mkdtemp(join(tmpdir(), 'pizarra-follow-'));
  cleanUp.defer(() => rm(directory, { recursive: true, force: true }));
  const store = cleanUp.use(await openTestStore(directory));
  await before?.(store);
  const clock = clockAt(() => time.now);
  const shared = { universe, store, log: silentLog, intradaySessions: 10 };
  const market = cleanUp.use(
    await openMarket({
      ...shared,
      place: { kind: 'sqlite', damage: new StoreDamage() },
      followsStore: false,
      sources: () => undefined,
    }),
  );
  const beforeReading = (): Promise<void> => market.catchUpTables();
  const pipeline = cleanUp.use(
    await openPipeline({ ...shared, clock, settleDelayMs: 900_000, beforeReading }),
  );
  const server = cleanUp.use(
    await startTestServer({
      board: pipeline.board,
      history: market.history,
      bars: store.bars,
      actions: () => market.actions,
      indices: () => market.indices,
      revisions: market.revisions,
      clock,
      streamLimits: { heartbeatMs: 200, sweepMs: 50 },
    }),
  );
  const running = cleanUp.move();
  return {
    pipeline,
    server,
    store,
    submit: async (updates, source = { name: 'byma', delayMinutes: 20 }) => {
      await pipeline.ingest.submit(updates, source);
    },
    [Symbol.asyncDispose]: () => running.disposeAsync(),
  };
}

/** Lets a service follow another one, until it is disposed. */
export function follow(
  mirror: TestService,
  origin: { readonly port: number; readonly key: string },
  { universe, time }: { readonly universe: Universe; readonly time: TestTime },
): FeedSupervisor {
  const clock = clockAt(() => time.now);
  const config: PizarraConfig = {
    name: 'oficina',
    type: 'pizarra',
    staleAfterSeconds: 60,
    url: `http://127.0.0.1:${origin.port}`,
    key: { env: 'KEY' },
  };
  const { board, ingest } = mirror.pipeline;
  const deps = { universe, clock, log: silentLog, random: Math.random, directory: '.' };
  const feed = pizarraType.create?.(config, {
    ...deps,
    pause: pauseInRealTime,
    secrets: new Secrets({ env: { KEY: origin.key }, directory: '.' }),
    latestBar: (ticker: Ticker) => board.quote(universe.get(ticker))?.bar,
  });
  if (feed === undefined) throw new Error('the type creates no feed');
  return superviseFeeds({ ...deps, feeds: [feed], ingest });
}
