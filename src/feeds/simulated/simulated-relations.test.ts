import assert from 'node:assert/strict';
import { resolve } from 'node:path';
import { test } from 'node:test';
import { Bonds } from '../../domain/bonds/bonds.ts';
import { valuedIn } from '../../domain/bonds/bond.ts';
import { settlementOf } from '../../domain/calendar/business-days.ts';
import { conventions } from '../../domain/bonds/conventions.ts';
import { valuesOf } from '../../domain/bonds/index-growth.ts';
import { valueBond, type BondValuation } from '../../domain/bonds/value-bond.ts';
import { addDays, toEpochDay, type PlainDate } from '../../domain/calendar/plain-date.ts';
import { receiptPairs } from '../../domain/dollars/receipt-rates.ts';
import { IndexSeries } from '../../domain/indices/index-series.ts';
import { instrumentClasses } from '../../domain/instruments/instrument-classes.ts';
import type { Instrument } from '../../domain/instruments/instrument.ts';
import { openAllDay } from '../../domain/instruments/open-all-day.ts';
import type { Ticker } from '../../domain/instruments/ticker.ts';
import { loadUniverse } from '../../universe/load-universe.ts';
import { simulatedIndexValues } from './simulated-history.ts';
import { SimulatedMarket } from './simulated-market.ts';

// Prices of a simulation that belong together: bonds and indices, classes in dollars, receipts and their shares.

const seed = 1810;
const loaded = await loadUniverse(resolve(import.meta.dirname, '../../../universe'));
assert.ok(loaded.ok);
const universe = openAllDay(loaded.universe);
const market = new SimulatedMarket(universe, seed);
const bonds = new Bonds(universe);

const days = ['2025-03-10', '2026-02-20', '2026-11-26', '2026-12-14', '2027-01-13'] as PlainDate[];

function closeOf(instrument: Instrument, day: PlainDate): number {
  return market.closeOf(instrument, toEpochDay(day)).last;
}

function closeOfTicker(ticker: string, day: PlainDate): number {
  return closeOf(universe.get(ticker as Ticker), day);
}

/** The figures of each bond that has terms and has not matured, at the closes of a day. */
function valuations(day: PlainDate): ReadonlyMap<Instrument, BondValuation> {
  const now = Date.parse(`${day}T12:00:00-03:00`);
  const values = (['CER', 'A3500', 'UVA', 'TAMAR', 'BADLAR'] as const).flatMap((index) =>
    simulatedIndexValues(universe, index, { seed, now }).map((one) => ({
      index,
      ...one,
      source: 'x',
    })),
  );
  const known = new IndexSeries(1, values);
  const exchangeRate = closeOfTicker('AL30', day) / closeOfTicker('AL30D', day);
  const found = new Map<Instrument, BondValuation>();
  for (const instrument of universe.instruments) {
    const bond = bonds.of(instrument);
    if (bond === undefined || addDays(day, 1) >= bond.terms.maturity) continue;
    // The demonstration has closes from before the issue.
    if (addDays(day, 1) < bond.terms.issued) continue;
    const isConverted = instrument.currency !== valuedIn(bond.terms);
    found.set(
      instrument,
      valueBond(bond, {
        settlement: settlementOf(bond.days, day, 'next-day'),
        convention: conventions.pizarra,
        price: {
          amount: closeOf(instrument, day),
          currency: instrument.currency,
          form: 'quoted',
        },
        ...(isConverted ? { exchangeRate } : {}),
        index: valuesOf(known),
      }),
    );
  }
  return found;
}

test('on any day, each bond whose terms are known has a plausible yield, with the indices that are published then', () => {
  for (const day of days) {
    const all = valuations(day);
    assert.ok(all.size >= 60, `${all.size} bonds on ${day}`);
    for (const [{ ticker }, { state, yield: found, parity, index }] of all) {
      const what = `${ticker} on ${day}: ${state}, ${found} %, parity ${parity} %`;
      assert.equal(state, 'ok', what);
      const bond = bonds.of({ ticker }) ?? assert.fail();
      const isNominal = valuedIn(bond.terms) === 'ARS' && index?.index !== 'CER';
      const [min, max] = isNominal && index?.index !== 'A3500' ? [15, 60] : [0, 16];
      assert.ok(found !== null && found > min && found < max, what);
      assert.ok(parity !== null && parity > 40 && parity < 125, what);
    }
  }
});

test('the closes of DOLAR A3500 are the values of the index A3500', () => {
  const [from, now] = ['2026-11-01' as PlainDate, Date.parse('2026-11-26T20:00:00-03:00')];
  const values = simulatedIndexValues(universe, 'A3500', { seed, from, now });
  assert.equal(values.length, 26);
  const dollar = universe.get('DOLAR A3500' as Ticker);
  for (const { day, value } of values) assert.equal(value, market.closeOf(dollar, day).last);
});

test('all classes of all securities imply the same dollars, however their tickers are formed', () => {
  const classes = instrumentClasses(universe.instruments);
  assert.ok(classes.some(({ pesos, mep }) => `${pesos.ticker} ${mep?.ticker}` === 'TGNO4 TGN4D'));
  for (const day of days) {
    const implied = {
      mep: closeOfTicker('DOLAR MEP LEDE', day),
      cable: closeOfTicker('DOLAR CCL MTR', day),
    };
    for (const { pesos, mep, cable } of classes) {
      for (const [one, dollar] of [
        [mep, implied.mep],
        [cable, implied.cable],
      ] as const) {
        if (one === undefined) continue;
        const ratio = closeOf(pesos, day) / closeOf(one, day) / dollar;
        assert.ok(
          Math.abs(ratio - 1) < 0.005,
          `${pesos.ticker} ÷ ${one.ticker} on ${day}: ${ratio}`,
        );
      }
    }
  }
});

test('every receipt implies a dollar near that of the bonds, and not all the same', () => {
  const pairs = receiptPairs(universe.instruments, (ticker) => universe.find(ticker));
  assert.ok(pairs.length > 100);
  for (const day of days) {
    const cable = closeOfTicker('AL30', day) / closeOfTicker('AL30C', day);
    const premiums = pairs.map(({ receipt, underlying, perShare }) => {
      const premium = (closeOf(receipt, day) * perShare) / closeOf(underlying, day) / cable - 1;
      assert.ok(Math.abs(premium) < 0.02, `${receipt.ticker} on ${day}: ${premium}`);
      return premium;
    });
    assert.ok(Math.max(...premiums) - Math.min(...premiums) > 0.01);
  }
});

test('no dollar is far from the wholesale one', () => {
  for (const day of days) {
    const wholesale = closeOfTicker('DOLAR MAYORISTA', day);
    const gap = (ticker: string) => closeOfTicker(ticker, day) / wholesale - 1;
    for (const ticker of ['DOLAR OFICIAL VENTA', 'DOLAR MEP LEDE', 'DOLAR CCL MTR']) {
      assert.ok(gap(ticker) > -0.03 && gap(ticker) < 0.12, `${ticker} on ${day}: ${gap(ticker)}`);
    }
    assert.ok(gap('DOLAR BLUE VENTA') > -0.08 && gap('DOLAR BLUE VENTA') < 0.15);
  }
});
