import assert from 'node:assert/strict';
import { test } from 'node:test';

import { al30, day } from '../../../test/support/market/bond-samples.ts';
import { clockAt } from '../../../test/support/market/clock-at.ts';
import { makeUniverse } from '../../../test/support/market/make-universe.ts';
import { Board } from '../../board/board.ts';
import { Bonds } from '../../domain/bonds/bonds.ts';
import { ConversionRates } from '../../domain/dollars/conversion-rates.ts';
import { DollarRates } from '../../domain/dollars/dollar-rates.ts';
import { noIndices } from '../../domain/indices/index-series.ts';
import type { Ticker } from '../../domain/instruments/ticker.ts';
import { makeQuote } from '../../domain/quotes/quote.ts';
import { nobody, testAnswering } from '../../../test/support/http/answering.ts';
import { bonos } from './bonos.ts';

const universe = makeUniverse(
  [
    { ticker: 'AL30', kind: 'bond', panels: ['BONOS'] },
    { ticker: 'AL30D', kind: 'bond', currency: 'USD', dollarClass: ['AL30', 'mep'] },
    { ticker: 'AL30C', kind: 'bond', currency: 'USD', dollarClass: ['AL30', 'cable'] },
    { ticker: 'GGAL' },
  ],
  [al30],
);

/** Bonds that count how often their payments are read: every valuation reads them. */
class CountedBonds extends Bonds {
  valuations = 0;

  override of(instrument: Parameters<Bonds['of']>[0]) {
    const bond = super.of(instrument);
    if (bond === undefined) return undefined;
    const counted = { ...bond };
    Object.defineProperty(counted, 'flows', {
      get: () => {
        this.valuations += 1;
        return bond.flows;
      },
    });
    return counted;
  }
}

test('nothing is computed when a price arrives, and a request computes only what has changed', () => {
  const board = new Board(universe);
  const bonds = new CountedBonds(universe);
  const clock = clockAt(() => Date.parse('2026-11-20T20:00:00Z'));
  const rates = new ConversionRates(universe, new DollarRates(universe, bonds));
  const parts = { board, bonds, rates, indices: () => noIndices };
  const responses = bonos(parts, testAnswering({ clock }));
  let version = 0;
  const show = (ticker: string, last: number): void => {
    version += 1;
    const session = { sessionDate: day('2026-11-20'), last, volume: 1 };
    board.adopt([makeQuote(universe.get(ticker as Ticker), { version, session, references: {} })]);
  };
  const bodyOf = () => {
    const found = responses.find('especie=AL30D,AL30C', 'json', nobody);
    return !(found instanceof Promise) && found.ok ? found.value.body : assert.fail();
  };
  show('AL30', 93_000);
  show('AL30D', 60);
  show('AL30C', 58);
  const first = bodyOf();
  const atFirst = bonds.valuations;
  assert.ok(atFirst > 0);
  for (let price = 1; price <= 100; price += 1) show('AL30D', 60 + price / 100);
  assert.equal(bonds.valuations, atFirst, 'a hundred prices');
  const second = bodyOf();
  assert.notEqual(second, first);
  assert.equal(bonds.valuations, atFirst * 1.5, 'the one bond that has changed, once');
  show('GGAL', 7000);
  assert.equal(bodyOf(), second);
  assert.equal(bonds.valuations, atFirst * 1.5, 'another price changes nothing');
});
