import assert from 'node:assert/strict';
import { test } from 'node:test';

import { fromEpochDay, type PlainDate } from '../../domain/calendar/plain-date.ts';
import type { Ticker } from '../../domain/instruments/ticker.ts';
import { actionsOfChart } from './chart-events.ts';

const owner = {
  ticker: 'AAPL_US' as Ticker,
  currency: 'USD',
  source: 'yahoo',
  dateAt: (epochMs: number) => new Date(epochMs).toISOString().slice(0, 10) as PlainDate,
};

function seconds(date: string): number {
  return Date.parse(`${date}T14:30:00Z`) / 1_000;
}

function read(events: unknown) {
  const { actions, unread } = actionsOfChart(events, owner);
  const shown = actions.map((action) => [
    fromEpochDay(action.exDay),
    action.type,
    'factor' in action ? action.factor : 'amount' in action ? action.amount : undefined,
  ]);
  return { shown, unread };
}

test('a chart without events has no actions', () => {
  for (const events of [undefined, null, 7, {}, { splits: null, dividends: [] }]) {
    assert.deepEqual(read(events), { shown: [], unread: [] });
  }
});

test('splits have new for old units, a stock dividend of 9 % is a split of 109 for 100', () => {
  const events = {
    splits: {
      a: { date: seconds('2020-08-31'), numerator: 4, denominator: 1 },
      b: { date: seconds('2022-01-03'), numerator: 1, denominator: 10 },
      c: { date: seconds('2021-01-04'), numerator: 109, denominator: 100 },
    },
  };
  assert.deepEqual(read(events).shown, [
    ['2020-08-31', 'split', 4],
    ['2022-01-03', 'split', 0.1],
    ['2021-01-04', 'split', 1.09],
  ]);
  const [action] = actionsOfChart(events, owner).actions;
  assert.deepEqual([action?.ticker, action?.source], ['AAPL_US', 'yahoo']);
});

test('a dividend is that of one unit on its ex date: later splits of the chart are undone', () => {
  const { actions } = actionsOfChart(
    {
      splits: {
        late: { date: seconds('2020-08-31'), numerator: 4, denominator: 1 },
        early: { date: seconds('2014-06-09'), numerator: 7, denominator: 1 },
      },
      dividends: {
        a: { date: seconds('2020-11-06'), amount: 0.205 },
        b: { date: seconds('2020-08-31'), amount: 0.1 },
        c: { date: seconds('2020-08-07'), amount: 0.205 },
        d: { date: seconds('2014-05-08'), amount: 0.1175 },
      },
    },
    owner,
  );
  assert.deepEqual(
    actions.flatMap((one) => (one.type === 'cash-dividend' ? [[one.amount, one.currency]] : [])),
    [
      [0.205, 'USD'],
      [0.1, 'USD'],
      [0.82, 'USD'],
      [3.29, 'USD'],
    ],
  );
});

test('an event that cannot be read is named, and does not affect the others', () => {
  const date = seconds('2020-08-31');
  const { shown, unread } = read({
    splits: {
      good: { date, numerator: 4, denominator: 1 },
      undated: { numerator: 4, denominator: 1 },
      halved: { date, denominator: 1 },
      zero: { date, numerator: 4, denominator: 0 },
      endless: { date, numerator: 1e308, denominator: 1e-308 },
      large: { date, numerator: 100_001, denominator: 1 },
      none: null,
    },
    dividends: { undated: { amount: 1 }, unpaid: { date, amount: '1' } },
  });
  assert.deepEqual(shown, [['2020-08-31', 'split', 4]]);
  assert.deepEqual(unread, [
    'events.splits.undated',
    'events.splits.halved',
    'events.splits.zero',
    'events.splits.endless',
    'events.splits.large',
    'events.splits.none',
    'events.dividends.undated',
    'events.dividends.unpaid',
  ]);
});
