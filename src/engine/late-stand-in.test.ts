import assert from 'node:assert/strict';
import { test } from 'node:test';

import { at, latest } from '../../test/support/market/drive-engine.ts';
import { makeUniverse } from '../../test/support/market/make-universe.ts';
import type { Ticker } from '../domain/instruments/ticker.ts';
import type { Update } from '../domain/quotes/update.ts';
import { Engine } from './engine.ts';

/**
 * A source that is ahead fails, and one that is 20 minutes late stands in: its updates are of instants
 * before the price that is shown.
 */

const universe = makeUniverse([{ ticker: 'GGAL' }]);
const noon = at('2026-11-20', '12:00');
const ahead = { name: 'ahead', delayMinutes: 0 };
const late = { name: 'late', delayMinutes: 20 };

type Fields = Omit<Update, 'ticker' | 'at'>;

class Market {
  readonly engine = new Engine(universe, { settleDelayMs: 900_000, nextVersion: 1 });

  send(source: typeof late, minute: number, fields: Fields): unknown {
    const update = { ticker: 'GGAL' as Ticker, at: noon + minute * 60_000, ...fields };
    return this.engine.apply([update], noon + 30 * 60_000, source).outcomes[0];
  }

  quote() {
    return latest(this.engine, 'GGAL') ?? assert.fail('no quote');
  }
}

const book = { bid: 6_925, bidSize: 116, ask: 6_930, askSize: 2_036 };
const whole = { open: 6_900, high: 7_078, low: 6_801, volume: 1_000, previousClose: 6_870 };

test('contract 2.6.8: the open of a late stand-in is the open that it reports, not its last price', () => {
  const market = new Market();
  market.send(ahead, 20, { last: 6_936.93, volume: 267_463 });
  market.send(late, 0, { last: 6_940, ...whole });
  const { open, high, low, last, volume, previousClose } = market.quote();
  assert.deepEqual([open, high, low], [6_900, 7_078, 6_801]);
  assert.deepEqual([last, volume], [6_936.93, 267_463], 'the later price stays');
  assert.equal(previousClose, 6_870, 'the first source has reported none');
  market.send(late, 1, { last: 6_950 });
  assert.equal(market.quote().open, 6_900, 'a price is no open once one has been reported');
});

test('contract 2.6.8: what the source of the later price reports itself is not replaced by a late one', () => {
  const market = new Market();
  market.send(ahead, 20, { last: 6_936, open: 6_890, previousClose: 6_871 });
  market.send(late, 0, { last: 6_940, ...whole });
  assert.deepEqual([market.quote().open, market.quote().previousClose], [6_890, 6_871]);
});

test('contract 2.6.8: fuente names the source of the price that is shown, whose book is kept', () => {
  const market = new Market();
  market.send(ahead, 20, { last: 6_936.93, ...book });
  assert.equal(market.send(late, 0, { last: 6_940, ...whole, trades: 5 }), 'accepted');
  assert.equal(market.quote().source, ahead);
  const { at: _, ...shown } = market.quote().book ?? assert.fail('no book');
  assert.deepEqual(JSON.parse(JSON.stringify(shown)), book);
  const { stored } = market.engine.apply([], noon);
  assert.deepEqual(stored, []);
  market.send(late, 21, { last: 6_941, bid: 6_940 });
  assert.equal(market.quote().source, late, 'its price is shown now');
  assert.deepEqual([market.quote().book?.bid, market.quote().book?.ask], [6_940, undefined]);
});

test('contract 2.6.8: the source of an official close is that of the price until another close replaces it', () => {
  const market = new Market();
  market.send(ahead, 1, { last: 100 });
  market.send(late, 0, { close: 99 });
  assert.deepEqual([market.quote().last, market.quote().source], [99, late]);
  market.send(ahead, 2, { last: 101 });
  assert.deepEqual([market.quote().last, market.quote().source], [99, late], 'a price after it');
  market.send(ahead, 3, { close: 98 });
  assert.deepEqual([market.quote().last, market.quote().source], [98, ahead]);
});
