import assert from 'node:assert/strict';
import { test } from 'node:test';

import { fromEpochDay } from '../../domain/calendar/plain-date.ts';
import type { Ticker } from '../../domain/instruments/ticker.ts';
import { actionsOfAlpaca } from './alpaca-corporate-actions.ts';

const names = {
  tickerOf: (symbol: string) => (symbol === 'NADA' ? undefined : (`${symbol}_US` as Ticker)),
  nameOf: (symbol: string) => `${symbol}_US` as Ticker,
  source: 'alpaca',
};

function read(lists: Readonly<Record<string, unknown>>) {
  const { actions, unread, unknown } = actionsOfAlpaca({ corporate_actions: lists }, names);
  const shown = actions.map(({ exDay, source, ...rest }) => {
    assert.equal(source, 'alpaca');
    return { date: fromEpochDay(exDay), ...rest };
  });
  return { shown, unread, unknown: [...unknown] };
}

test('splits, stock dividends, cash dividends and changes of the symbol are read, other lists are not', () => {
  const { shown, unread, unknown } = read({
    forward_splits: [{ symbol: 'A', new_rate: 3, old_rate: 2, ex_date: '2026-01-02' }],
    reverse_splits: [{ symbol: 'B', new_rate: 1, old_rate: 10, ex_date: '2026-01-05' }],
    stock_dividends: [{ symbol: 'C', rate: 0.09, ex_date: '2026-01-06' }],
    cash_dividends: [{ symbol: 'D', rate: 0.24, ex_date: '2026-01-07' }],
    name_changes: [{ old_symbol: 'FB', new_symbol: 'META', process_date: '2022-06-09' }],
    spin_offs: [{ source_symbol: 'E' }],
  });
  assert.deepEqual(shown, [
    { date: '2026-01-02', ticker: 'A_US', type: 'split', factor: 1.5 },
    { date: '2026-01-05', ticker: 'B_US', type: 'split', factor: 0.1 },
    { date: '2026-01-06', ticker: 'C_US', type: 'stock-dividend', factor: 1.09 },
    { date: '2026-01-07', ticker: 'D_US', type: 'cash-dividend', amount: 0.24, currency: 'USD' },
    { date: '2022-06-09', ticker: 'FB_US', type: 'ticker-change', newTicker: 'META_US' },
  ]);
  assert.deepEqual([unread, unknown], [[], []]);
});

test('an ordinary and a special dividend of one day are one action, their sum', () => {
  const paid = { symbol: 'D', ex_date: '2026-01-07' };
  const { shown } = read({
    cash_dividends: [
      { ...paid, rate: 0.1 },
      { ...paid, rate: 0.2, special: true },
      { ...paid, rate: 7, symbol: 'E' },
      { ...paid, rate: 8, ex_date: '2026-01-08' },
    ],
  });
  assert.deepEqual(
    shown.map((one) => ('amount' in one ? one.amount : undefined)),
    [0.3, 7, 8],
  );
});

test('the currency of a dividend is that of the row, and a second currency of a day is not added up', () => {
  const paid = { symbol: 'D', ex_date: '2026-01-07' };
  const { shown } = read({
    cash_dividends: [
      { ...paid, rate: 1 },
      { ...paid, rate: 2, currency: 'CAD' },
    ],
  });
  assert.deepEqual(
    shown.map((one) => ('amount' in one ? [one.amount, one.currency] : undefined)),
    [[2, 'CAD']],
  );
});

test('symbols that the universe lacks are left out and named', () => {
  const { shown, unknown } = read({
    forward_splits: [{ symbol: 'NADA', new_rate: 3, old_rate: 2, ex_date: '2026-01-02' }],
    name_changes: [
      { old_symbol: 'NADA', new_symbol: 'META', process_date: '2022-06-09' },
      { old_symbol: 'FB', new_symbol: 'NADA', process_date: '2022-06-10' },
      { old_symbol: 'NADA', new_symbol: 'NADA', process_date: '2022-06-11' },
    ],
  });
  assert.deepEqual(
    shown.map(({ date, ticker }) => [date, ticker]),
    [
      ['2022-06-09', 'NADA_US'],
      ['2022-06-10', 'FB_US'],
    ],
  );
  assert.deepEqual(unknown, ['NADA']);
  const both = { tickerOf: () => undefined, nameOf: names.nameOf, source: 'x' };
  const change = { old_symbol: 'FB', new_symbol: 'META', process_date: '2022-06-09' };
  const none = actionsOfAlpaca({ corporate_actions: { name_changes: [change] } }, both);
  assert.deepEqual([none.actions, [...none.unknown]], [[], ['META']]);
});

test('a change of the company name that keeps the symbol is no action', () => {
  const kept = { old_symbol: 'A', new_symbol: 'A', process_date: '2022-06-09' };
  assert.deepEqual(read({ name_changes: [kept] }).shown, []);
});

test('a row that cannot be read is named, and does not affect the others', () => {
  const good = { symbol: 'A', new_rate: 3, old_rate: 1, ex_date: '2026-01-02' };
  const { shown, unread } = read({
    forward_splits: [
      { ...good, symbol: 7 },
      { ...good, ex_date: '2026-02-30' },
      { ...good, ex_date: 20_260_102 },
      { ...good, new_rate: 0 },
      { ...good, old_rate: '1' },
      { ...good, old_rate: 1e-9 },
      null,
      good,
    ],
    stock_dividends: [
      { ...good, rate: -1 },
      { ...good, rate: 1e308 },
    ],
    cash_dividends: [{ ...good }],
    name_changes: [
      { old_symbol: 'A', new_symbol: 'B' },
      { old_symbol: 1, new_symbol: 'B', process_date: '2022-06-09' },
      { old_symbol: 'A', process_date: '2022-06-09' },
    ],
  });
  assert.equal(shown.length, 1);
  assert.deepEqual(
    unread,
    [
      ...[0, 1, 2, 3, 4, 5, 6].map((at) => `forward_splits[${at}]`),
      ...[0, 1].map((at) => `stock_dividends[${at}]`),
      'cash_dividends[0]',
      ...[0, 1, 2].map((at) => `name_changes[${at}]`),
    ].map((path) => `corporate_actions.${path}`),
  );
});

test('a body without lists has no actions', () => {
  for (const body of [undefined, [], {}, { corporate_actions: { forward_splits: {} } }]) {
    assert.deepEqual(actionsOfAlpaca(body, names).actions, []);
  }
});
