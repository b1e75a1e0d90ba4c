import assert from 'node:assert/strict';
import { test } from 'node:test';
import { bymaType } from '../../src/feeds/sources/byma.ts';
import { data912Type } from '../../src/feeds/sources/data912.ts';
import { makeUniverse } from '../support/market/make-universe.ts';
import { fieldsIn } from '../support/fields-in.ts';
import { playPolls, type PlayedPoll } from './play-polls.ts';

/** Inputs of sources that were once read wrong, with small data, and as they were found. */

const bymaPath = '/vanoms-be-core/rest/api/bymadata/free/';
const securities = makeUniverse([
  { ticker: 'MERVAL', kind: 'index' },
  { ticker: 'GGAL' },
  { ticker: 'PAMP' },
  { ticker: 'AL30', kind: 'bond' },
]);

/** A panel of BYMA with one security. */
function panel(symbol: string, trade: number): { readonly body: unknown } {
  const security = {
    symbol,
    settlementType: '2',
    trade,
    tradeHour: '11:30:00',
    volume: trade * 10,
  };
  return { body: { content: {}, data: [security] } };
}

/** A poll of BYMA whose first path is refused. */
function refusingPoll(time: string, price: number): PlayedPoll {
  const routes = {
    'index-price': { status: 401, body: '' },
    'leading-equity': panel('GGAL', price),
    'general-equity': panel('PAMP', price + 1),
    'public-bonds': panel('AL30', price + 2),
    lebacs: panel('AL30', 0),
  };
  const paths = Object.entries(routes).map(([name, route]) => [bymaPath + name, route]);
  return { now: `2026-11-20T${time}-03:00`, routes: Object.fromEntries(paths) };
}

test('byma: a path that is refused, even the first one, does not stop the other panels', async () => {
  const polls = [refusingPoll('12:00:00', 100), refusingPoll('12:01:00', 110)];
  const outcomes = await playPolls(bymaType, polls, { universe: securities });
  assert.deepEqual(outcomes.at(-1)?.prices, { GGAL: 110, PAMP: 111, AL30: 112 });
  for (const { failed } of outcomes) {
    assert.deepEqual(
      failed.map(({ code, message }) => [code, /index-price/.test(message)]),
      [['refused', true]],
    );
  }
});

/** A row of data912. */
function row(symbol: string, c: number, v: number): object {
  return { symbol, c, v, q_op: v };
}

for (const isReversed of [false, true]) {
  test(`data912: a symbol twice in one payload follows its price, whichever comes ${isReversed ? 'last' : 'first'}`, async () => {
    const polls = [100, 101, 102, 103].map((price, index): PlayedPoll => {
      const rows = [row('GGAL', price, 1_000 + index), row('PAMP', 50, 10)];
      if (index > 0) rows.push(row('GGAL', 777, 999_999));
      const body = isReversed ? rows.toReversed() : rows;
      return {
        now: `2026-11-20T11:0${index}:00-03:00`,
        routes: { '/live/arg_stocks': { body } },
      };
    });
    const outcomes = await playPolls(data912Type, polls, { universe: securities });
    assert.deepEqual(
      outcomes.map(({ prices }) => prices['GGAL']),
      [undefined, 101, 102, 103],
    );
    for (const { rejected } of outcomes.slice(1)) {
      const repeated = rejected.filter(({ reason }) => reason === 'repeated');
      assert.deepEqual(fieldsIn(repeated, 'symbol'), ['GGAL']);
    }
  });
}
