import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { CorporateAction, FactorAction } from './corporate-action.ts';
import { compareOffered } from './offered-action.ts';
import type { EpochDay } from '../calendar/plain-date.ts';
import type { Ticker } from '../instruments/ticker.ts';

function split(exDay: number, factor: number, type: FactorAction['type'] = 'split'): FactorAction {
  return { ticker: 'YPFD' as Ticker, exDay: exDay as EpochDay, source: 'x', type, factor };
}

function dividend(exDay: number, amount: number, currency = 'USD'): CorporateAction {
  const base = { ticker: 'YPFD' as Ticker, exDay: exDay as EpochDay, source: 'x' };
  return { ...base, type: 'cash-dividend', amount, currency };
}

test('a change of units within five days of a recorded one is the same event, whatever its type', () => {
  const recorded = [split(100, 2, 'ratio-change')];
  for (const day of [95, 100, 105]) {
    assert.equal(compareOffered(split(day, 2), recorded), 'same', `${day}`);
    assert.equal(compareOffered(split(day, 3), recorded), 'different', `${day}`);
  }
  for (const day of [94, 106]) assert.equal(compareOffered(split(day, 2), recorded), 'new');
});

test('a dividend of the day of a recorded one is the same if its amount and currency are', () => {
  const recorded = [split(100, 2), dividend(100, 0.24)];
  assert.equal(compareOffered(dividend(100, 0.24), recorded), 'same');
  assert.equal(compareOffered(dividend(100, 0.23999999463558197), recorded), 'same');
  assert.equal(compareOffered(dividend(100, 0.25), recorded), 'different');
  assert.equal(compareOffered(dividend(100, 0.24, 'ARS'), recorded), 'different');
  assert.equal(compareOffered(dividend(101, 0.24), recorded), 'new');
});
