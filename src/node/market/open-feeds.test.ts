import assert from 'node:assert/strict';
import { test } from 'node:test';

import { makeUniverse } from '../../../test/support/market/make-universe.ts';
import type { Instrument } from '../../domain/instruments/instrument.ts';
import type { Quote } from '../../domain/quotes/quote.ts';
import { pushType } from '../../feeds/push/index.ts';
import { simulatedType } from '../../feeds/simulated/index.ts';
import type { SimulatedConfig } from '../../feeds/simulated/simulated-feed.ts';
import { silentLog } from '../../lib/reports/log.ts';
import { systemClock } from '../../lib/time/clock.ts';
import { FeedTallies } from '../../pipeline/live/feed-state.ts';
import { openFeeds, universeFor } from './open-feeds.ts';

const simulation: SimulatedConfig = {
  type: 'simulated',
  name: 'demonstration',
  staleAfterSeconds: 60,
  seed: 1,
  updatesPerSecond: 50,
  alwaysOpen: true,
};

test('only a simulation with alwaysOpen opens the markets all day', () => {
  const universe = makeUniverse([{ ticker: 'GGAL' }]);
  const push = { type: 'push', name: 'desk', staleAfterSeconds: 1 } as const;
  for (const feeds of [
    [{ type: simulatedType, config: { ...simulation, alwaysOpen: false } }],
    [{ type: pushType, config: push }],
    [],
  ]) {
    assert.equal(universeFor({ feeds, directory: '.' }, universe), universe);
  }
  const feeds = [{ type: simulatedType, config: simulation }];
  const { markets } = universeFor({ feeds, directory: '.' }, universe);
  assert.equal(markets.get('BYMA')?.weekdays.size, 7);
});

test('a followed instrument counts for the feed that follows, and for the name of no source of the origin', async () => {
  const universe = makeUniverse([{ ticker: 'GGAL' }, { ticker: 'YPFD' }, { ticker: 'PAMP' }]);
  const quotes = new Map<string, Partial<Quote>>([
    ['GGAL', { source: { name: 'byma', via: 'oficina' } }],
    ['YPFD', { source: { name: 'oficina' } }],
    ['PAMP', { source: { name: 'byma' } }],
  ]);
  const board = { quote: ({ ticker }: Instrument) => quotes.get(ticker) as Quote | undefined };
  const push = { type: 'push', name: 'oficina', staleAfterSeconds: 1 } as const;
  await using feeds = openFeeds(
    { feeds: [{ type: pushType, config: push }], directory: '.' },
    {
      ingest: { submit: async () => [] },
      universe,
      clock: systemClock,
      log: silentLog,
      tallies: new FeedTallies(),
      board,
      recordsBars: true,
    },
  );
  assert.deepEqual(
    feeds.states().map(({ name, instruments }) => [name, instruments]),
    [['oficina', 2]],
  );
});
