import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { test } from 'node:test';
import Papa from 'papaparse';
import { inputsOf } from '../src/domain/derivation.ts';
import type { PanelCode } from '../src/domain/panel.ts';
import type { PlainDate } from '../src/domain/plain-date.ts';
import { SessionCalendar } from '../src/domain/session-calendar.ts';
import { formatUniverseFaults } from '../src/universe/format-universe-faults.ts';
import { loadUniverse } from '../src/universe/load-universe.ts';
import { sharedData } from './support/shared-data.ts';

const result = await loadUniverse(resolve(import.meta.dirname, '../universe'));
assert.ok(result.ok, result.ok ? '' : formatUniverseFaults(result.faults));
const { universe } = result;

const day = (text: string) => text as PlainDate;

const tickersOf = (code: PanelCode) =>
  (universe.panels.get(code) ?? []).map((one) => String(one.ticker));

const calendarOf = (code: string) => {
  const market = universe.markets.get(code);
  assert.ok(market !== undefined);
  return new SessionCalendar(market);
};

test('the default universe has 656 instruments', () => {
  assert.equal(universe.instruments.length, 656);
});

test('2.4: the eleven panels have the sizes that the specification names', () => {
  const sizes = [...universe.panels].map(([code, members]) => `${code} ${members.length}`);
  assert.deepEqual(sizes.toSorted(), [
    'ADR 14',
    'ADRARG 18',
    'BON 78',
    'BONOS 78',
    'CED 186',
    'ETF 74',
    'GEN 58',
    'IND 27',
    'LID 23',
    'LIDGEN 81',
    'VARIAS 32',
  ]);
});

test('2.4: LIDGEN is LID and then GEN, and BON is BONOS itself', () => {
  assert.deepEqual(tickersOf('LIDGEN'), [...tickersOf('LID'), ...tickersOf('GEN')]);
  assert.equal(universe.panels.get('BON'), universe.panels.get('BONOS'));
});

test('2.5: IND is the 27 codes of the specification, in its order', () => {
  assert.deepEqual(tickersOf('IND'), [
    'CAUCION 1D',
    'CAUCION 7D',
    'CAUCION 14D',
    'CAUCION 30D',
    'DOLAR OFICIAL',
    'DOLAR OFICIAL COMPRA',
    'DOLAR OFICIAL VENTA',
    'DOLAR MAYORISTA',
    'DOLAR A3500',
    'DOLAR TARJETA',
    'DOLAR BLUE',
    'DOLAR BLUE COMPRA',
    'DOLAR BLUE VENTA',
    'DOLAR MEP',
    'DOLAR MEP LEDE',
    'DOLAR CCL',
    'DOLAR CCL MTR',
    'DOLAR CRIPTO',
    'DOLAR/EURO',
    'EUROLELIQ',
    'MEP-CCL',
    'OFICIAL-CCL',
    'OFICIAL-MEP',
    'MERVAL',
    'MERVAL USD',
    'RESERVAS BCRA',
    'RIESGO PAIS',
  ]);
});

test('2.5: US-listed shares have the suffix _US, cryptocurrencies have none', () => {
  for (const { ticker, market } of universe.instruments) {
    const isUnitedStates = ['NYSE', 'NYSE Arca', 'NASDAQ', 'Cboe BZX'].includes(market);
    assert.equal(ticker.endsWith('_US'), isUnitedStates, ticker);
  }
});

test('the change is in points for rates, spreads and country risk, and for nothing else', () => {
  const points = universe.instruments.filter((one) => one.changeUnit === 'points');
  assert.deepEqual([...new Set(points.map((one) => one.kind))].toSorted(), [
    'country-risk',
    'interest-rate',
    'spread',
  ]);
});

test('a derived instrument comes after its inputs and is not among them', () => {
  const seen = new Set<string>();
  const derived = new Set(universe.derived.map(({ instrument }) => String(instrument.ticker)));
  assert.equal(derived.size, 9);
  for (const { instrument, derivation } of universe.derived) {
    for (const input of inputsOf(derivation)) {
      assert.ok(!derived.has(input) || seen.has(input), `${instrument.ticker} needs ${input}`);
    }
    seen.add(instrument.ticker);
  }
});

test('every market of the universe has sessions on about 250 days of each year, crypto on all', () => {
  for (const code of universe.markets.keys()) {
    const calendar = calendarOf(code);
    for (const year of [2025, 2026, 2027]) {
      let sessions = 0;
      let date = calendar.nextSession(`${year - 1}-12-31` as PlainDate);
      while (date.startsWith(String(year))) {
        sessions += 1;
        date = calendar.nextSession(date);
      }
      const [least, most] = code === 'CRIPTO' ? [365, 365] : [238, 262];
      assert.ok(sessions >= least && sessions <= most, `${code} ${year}: ${sessions}`);
    }
  }
});

test('a rate stamped early in the morning belongs to the day it is stamped with', () => {
  const early = Temporal.Instant.from('2026-10-06T00:04:00-03:00').epochMilliseconds;
  for (const code of ['BCRA', 'INFORMAL', 'MAE', 'JP MORGAN', 'CALCULADO', 'FX', 'CRIPTO']) {
    assert.equal(calendarOf(code).sessionAt(early), '2026-10-06', code);
  }
  assert.equal(calendarOf('BYMA').sessionAt(early), '2026-10-05');
});

test('row 30: what is published has no hour outside its session on its days, exchanges have', () => {
  const graceMs = 15 * 60_000;
  const within = (code: string, text: string): boolean =>
    calendarOf(code).isWithinSession(Temporal.Instant.from(text).epochMilliseconds, graceMs);
  for (const code of ['BCRA', 'INFORMAL', 'MAE', 'JP MORGAN', 'CALCULADO', 'FX', 'CRIPTO']) {
    // 24 December is a day on which exchanges close early.
    for (const date of ['2026-10-06', '2026-12-24']) {
      for (const time of ['00:00:00', '09:40:00', '17:20:00', '20:30:00', '23:59:59']) {
        assert.ok(within(code, `${date}T${time}-03:00`), `${code} ${date} ${time}`);
      }
    }
    const saturday = within(code, '2026-10-10T12:00:00-03:00');
    assert.equal(saturday, code === 'CRIPTO', code);
  }
  assert.equal(within('BYMA', '2026-10-06T17:10:00-03:00'), true, 'the index, a moment later');
  assert.equal(within('BYMA', '2026-12-24T15:20:00-03:00'), false);
  assert.equal(within('A3', '2026-12-24T15:20:00-03:00'), false);
  assert.equal(within('NASDAQ', '2026-10-06T09:00:00-03:00'), false);
});

test('BYMA and New York rest on different days', () => {
  const byma = calendarOf('BYMA');
  const nyse = calendarOf('NYSE');
  for (const date of ['2026-03-24', '2026-07-09', '2026-12-31'].map(day)) {
    assert.deepEqual([byma.isSession(date), nyse.isSession(date)], [false, true], date);
  }
  for (const date of ['2026-01-19', '2026-06-19', '2026-07-03'].map(day)) {
    assert.deepEqual([byma.isSession(date), nyse.isSession(date)], [true, false], date);
  }
});

test('the default universe says what the source of its facts says', (t) => {
  const path = sharedData('universe.csv');
  if (path === undefined) {
    t.skip('the shared data is not here: universe.csv was not compared');
    return;
  }
  const source = Papa.parse<Record<string, string>>(readFileSync(path, 'utf8'), {
    header: true,
    skipEmptyLines: true,
  }).data;
  assert.deepEqual(
    universe.instruments.map((one) => [one.ticker, one.name, one.market]),
    source.map((row) => [row['ticker'], row['name'], row['market']]),
  );
  for (const code of universe.panels.keys()) {
    if (code === 'BON') continue;
    const members = source.filter((row) => row['panels']?.split(';').includes(code));
    assert.deepEqual(
      tickersOf(code),
      members.map((row) => row['ticker']),
      code,
    );
  }
});
