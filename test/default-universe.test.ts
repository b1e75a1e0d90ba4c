import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { test } from 'node:test';
import Papa from 'papaparse';
import { Bonds } from '../src/domain/bonds/bonds.ts';
import { inputsOf } from '../src/domain/instruments/derivation.ts';
import { instrumentClasses } from '../src/domain/instruments/instrument-classes.ts';
import { maturedAt } from '../src/domain/instruments/maturity.ts';
import type { PanelCode } from '../src/domain/instruments/panel.ts';
import type { PlainDate } from '../src/domain/calendar/plain-date.ts';
import { SessionCalendar } from '../src/domain/calendar/session-calendar.ts';
import { formatUniverseFaults } from '../src/universe/files/universe-fault.ts';
import { loadUniverse } from '../src/universe/load-universe.ts';
import { fieldsIn } from './support/fields-in.ts';
import { sharedOrSkip } from './support/program/shared-data.ts';

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

test('the default universe has 952 instruments', () => {
  assert.equal(universe.instruments.length, 952);
});

test('contract 2.4: the eleven panels have the documented sizes', () => {
  const sizes = [...universe.panels].map(([code, members]) => `${code} ${members.length}`);
  assert.deepEqual(sizes.toSorted(), [
    'ADR 14',
    'ADRARG 18',
    'BON 77',
    'BONOS 77',
    'CED 186',
    'ETF 74',
    'GEN 63',
    'IND 27',
    'LID 20',
    'LIDGEN 83',
    'VARIAS 32',
  ]);
});

test('contract 2.4: LIDGEN is LID followed by GEN, and BON is equal to BONOS', () => {
  assert.deepEqual(tickersOf('LIDGEN'), [...tickersOf('LID'), ...tickersOf('GEN')]);
  assert.equal(universe.panels.get('BON'), universe.panels.get('BONOS'));
});

test('contract 2.5.3: IND has the 27 documented codes, in their order', () => {
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

test('contract 2.5.1: US-listed shares have the suffix _US, and cryptocurrencies have none', () => {
  for (const { ticker, market } of universe.instruments) {
    const isUnitedStates = ['NYSE', 'NYSE Arca', 'NASDAQ', 'Cboe BZX'].includes(market);
    assert.equal(ticker.endsWith('_US'), isUnitedStates, ticker);
  }
});

test('contract 2.1.3: the change is in points for rates, spreads and country risk, and otherwise in percent', () => {
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

test('every market has sessions on about 250 days a year, and the cryptocurrencies on all days', () => {
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

test('a rate with an instant early in the morning belongs to that day', () => {
  const early = Temporal.Instant.from('2026-10-06T00:04:00-03:00').epochMilliseconds;
  for (const code of ['BCRA', 'INFORMAL', 'MAE', 'JP MORGAN', 'CALCULADO', 'FX', 'CRIPTO']) {
    assert.equal(calendarOf(code).sessionAt(early), '2026-10-06', code);
  }
  assert.equal(calendarOf('BYMA').sessionAt(early), '2026-10-05');
});

test('contract 2.6.1, 2.6.2: published rates are in session all day on business days, and exchanges are not', () => {
  const graceMs = 15 * 60_000;
  const within = (code: string, text: string): boolean =>
    calendarOf(code).isWithinSession(Temporal.Instant.from(text).epochMilliseconds, graceMs);
  for (const code of ['BCRA', 'INFORMAL', 'MAE', 'JP MORGAN', 'CALCULADO', 'FX', 'CRIPTO']) {
    // On 24 December exchanges close early.
    for (const date of ['2026-10-06', '2026-12-24']) {
      for (const time of ['00:00:00', '09:40:00', '17:20:00', '20:30:00', '23:59:59']) {
        assert.ok(within(code, `${date}T${time}-03:00`), `${code} ${date} ${time}`);
      }
    }
    const saturday = within(code, '2026-10-10T12:00:00-03:00');
    assert.equal(saturday, code === 'CRIPTO', code);
  }
  assert.equal(
    within('BYMA', '2026-10-06T17:10:00-03:00'),
    true,
    'the index may arrive shortly after the close',
  );
  assert.equal(within('BYMA', '2026-12-24T15:20:00-03:00'), false);
  assert.equal(within('A3', '2026-12-24T15:20:00-03:00'), false);
  assert.equal(within('NASDAQ', '2026-10-06T09:00:00-03:00'), false);
});

test('BYMA and New York have different holidays', () => {
  const byma = calendarOf('BYMA');
  const nyse = calendarOf('NYSE');
  for (const date of ['2026-03-24', '2026-07-09', '2026-12-31'].map(day)) {
    assert.deepEqual([byma.isSession(date), nyse.isSession(date)], [false, true], date);
  }
  for (const date of ['2026-01-19', '2026-06-19', '2026-07-03'].map(day)) {
    assert.deepEqual([byma.isSession(date), nyse.isSession(date)], [true, false], date);
  }
});

/** The CEDEARs in pesos. Their classes in dollars are the same receipts. */
const cedears = universe.instruments.filter(
  ({ kind, dollarClass }) => kind === 'cedear' && dollarClass === undefined,
);

/** The CEDEARs that are in no panel. */
function cedearsWithoutPanel(): readonly string[] {
  const panel = new Set(tickersOf('CED'));
  return cedears.map(({ ticker }) => String(ticker)).filter((ticker) => !panel.has(ticker));
}

test('the default universe has all 428 CEDEARs, of which 186 are in the panel', () => {
  const others = cedearsWithoutPanel();
  assert.equal(others.length, 428 - 186);
  for (const ticker of ['TSLA', 'V', 'WMT', 'XOM', 'DISN']) assert.ok(others.includes(ticker));
});

/** The ratio and the underlying of an instrument. */
function receiptOf(ticker: string): unknown {
  const { ratio, underlying } = universe.find(ticker) ?? assert.fail(ticker);
  return [ratio, underlying];
}

test('every CEDEAR has its ratio, and its underlying where that is listed in the United States', () => {
  const receipts = cedears;
  assert.ok(receipts.every(({ ratio }) => ratio !== undefined));
  const underlyings = receipts.flatMap(({ underlying }) => underlying ?? []);
  assert.equal(underlyings.length, 388);
  assert.ok(underlyings.every((ticker) => ticker.endsWith('_US')));
  assert.deepEqual(receiptOf('AAPL'), ['20:1', 'AAPL_US']);
  assert.deepEqual(receiptOf('ABEV'), ['1:3', 'ABEV_US']);
  assert.deepEqual(receiptOf('ADGO'), ['1:1', 'AGRO_US']);
  assert.deepEqual(receiptOf('PETR3'), ['1:1', undefined]);
  // The ratios of ADRs are left out: splits of 2026 have changed some of them.
  assert.deepEqual(receiptOf('GGAL_US'), [undefined, 'GGAL']);
});

test('the default universe agrees with the published ratios of CEDEARs', (t) => {
  const path = sharedOrSkip(t, 'upstream-samples/cedears_byma_ratios.md');
  if (path === undefined) return;
  const published = readFileSync(path, 'utf8').matchAll(
    /^\|[^|]*\| (\S+) \|[^|]*\| (\d+:\d+) \|$/gm,
  );
  const ratios = new Map(Array.from(published, ([, ticker, ratio]) => [ticker, ratio]));
  assert.equal(ratios.size, 428);
  for (const { ticker, ratio } of cedears) assert.equal(ratio, ratios.get(ticker), ticker);
});

/** The day on which the rows of the default universe were last compared with their sources. */
const compared = Date.parse('2026-11-23T12:00:00-03:00');

test('an instrument that has matured is in no panel, and keeps its history', () => {
  const matured = maturedAt(universe, compared);
  assert.deepEqual(matured.map(({ instrument }) => String(instrument.ticker)).toSorted(), [
    'S13N6',
    'S16O6',
    'S30O6',
    'TO26',
    'TX26',
    'TZX26',
    'TZXO6',
  ]);
  for (const { instrument, panels } of matured) assert.deepEqual(panels, [], instrument.ticker);
});

test('every bill has a maturity', () => {
  const bills = universe.instruments.filter(({ kind }) => kind === 'bill');
  assert.equal(bills.length, 7);
  for (const { ticker, maturity } of bills) assert.ok(maturity !== undefined, ticker);
});

/** The letters of the months, January first, in the tickers of the Treasury: `S30N6`, `T31Y7`. */
const monthLetters = 'EFMAYJLGSOND';

test('a maturity agrees with the ticker and with the name, where they have one', () => {
  let inTickers = 0;
  let inNames = 0;
  for (const { ticker, name, maturity } of universe.instruments) {
    if (maturity === undefined) continue;
    const [, dayOfMonth, letter = '', year] = /^[SDT](\d\d)([A-Z])(\d)$/.exec(ticker) ?? [];
    if (dayOfMonth !== undefined) {
      const month = String(monthLetters.indexOf(letter) + 1).padStart(2, '0');
      assert.equal(maturity, `202${year}-${month}-${dayOfMonth}`, ticker);
      inTickers += 1;
    }
    const [, named] = /vto\. (\d{4}-\d\d-\d\d)/.exec(name) ?? [];
    if (named !== undefined) {
      assert.equal(maturity, named, ticker);
      inNames += 1;
    }
    const [, namedYear] = /(?<!vto\. )\b(20\d\d)\b(?!-)/.exec(name.replace(/\(.*\)/, '')) ?? [];
    if (namedYear !== undefined) assert.equal(maturity.slice(0, 4), namedYear, ticker);
  }
  assert.deepEqual([inTickers, inNames], [11, 26]);
});

test('the default universe agrees with the published terms of bonds', (t) => {
  const path = sharedOrSkip(t, 'bonds/terms.csv');
  if (path === undefined) return;
  const terms = readTable(path);
  let agreeing = 0;
  for (const row of terms) {
    for (const ticker of [row['especie'], ...(row['series'] ?? '').split(' ')]) {
      if (ticker === undefined || ticker === '') continue;
      const { maturity } = universe.find(ticker) ?? assert.fail(ticker);
      // Of a few issues the dates are in doubt; their cells are empty.
      if (maturity === undefined) assert.equal(row['estado'], 'fechas-en-duda', ticker);
      else assert.equal(maturity, row['vencimiento'], ticker);
      if (maturity !== undefined) agreeing += 1;
    }
  }
  assert.equal(agreeing, 74);
});

test('every share of the leading panel has its class in dollars', () => {
  const inDollars = new Set(
    universe.instruments.flatMap(({ name, currency, market }) =>
      currency === 'USD' && market === 'BYMA' ? [name] : [],
    ),
  );
  for (const { ticker, name } of universe.panels.get('LID') ?? []) {
    assert.ok(inDollars.has(`${name} (especie en dólares MEP)`), ticker);
  }
  // The symbols follow no rule.
  for (const ticker of ['BMA.D', 'TECOD', 'TGN4D', 'TGSUD', 'YPFDD']) {
    assert.equal(universe.find(ticker)?.currency, 'USD', ticker);
  }
  assert.equal(universe.find('YPFD')?.currency, 'ARS');
});

/** Rows that are not in the data source. */
const addedShares =
  'BBARD COMED CRESD CVHD ECOGD IRSAD LOMAD METRD TECOD TGN4D TGSUD TRAND VALOD IEB RAGH MOLI5'.split(
    ' ',
  );

/** Names that differ from the data source, which two other sources contradict. */
const correctedNames: Readonly<Record<string, string>> = {
  HSAT: 'Holdsat S.A.',
  DYCA: 'DYCASA Sociedad Anonima (ahora IEB)',
  MGCOO: 'ON Pampa Energía 7.875% vto. 2034-12-16',
  YMCZO: 'ON YPF 7% vto. 2028-10-10',
  TO26: 'Bono del Tesoro 15,5% vto. 2026-10-17 (ISIN ARARGE4502K0)',
};

/** The panels that differ from the data source: of June 2026, and without what has matured. */
const correctedPanels: Readonly<Record<string, string>> = {
  CVH: 'GEN;LIDGEN',
  IRSA: 'GEN;LIDGEN',
  MIRG: 'GEN;LIDGEN',
  TECO2: 'GEN;LIDGEN',
  ECOG: 'LID;LIDGEN',
  DYCA: '',
  TX26: '',
};

/** The members of a panel that are not in the data source. */
const addedMembers: Readonly<Partial<Record<PanelCode, readonly string[]>>> = {
  GEN: ['IEB', 'RAGH', 'MOLI5'],
  LIDGEN: ['IEB', 'RAGH', 'MOLI5'],
};

/** Rows in the order of their first cell. */
function sorted(rows: readonly (readonly (string | undefined)[])[]) {
  return rows.toSorted(([a = ''], [b = '']) => (a < b ? -1 : 1));
}

function readTable(path: string): readonly Record<string, string>[] {
  const options = { header: true, skipEmptyLines: true } as const;
  return Papa.parse<Record<string, string>>(readFileSync(path, 'utf8'), options).data;
}

/** Classes in dollars that the market has, and the data source does not: of CEDEARs and of three bonds. */
function addedClasses(): readonly string[] {
  const ofCedears = universe.instruments.filter(
    ({ kind, dollarClass }) => kind === 'cedear' && dollarClass !== undefined,
  );
  const ofBonds = ['AE38C', 'YM39D', 'YM39C', 'VSCRD', 'VSCRC'];
  return [...ofBonds, ...ofCedears.map(({ ticker }) => ticker)];
}

test('every instrument in dollars of a market in pesos names its class in pesos', () => {
  const without = universe.instruments.filter(
    ({ market, kind, currency, dollarClass }) =>
      market === 'BYMA' && kind !== 'index' && currency === 'USD' && dollarClass === undefined,
  );
  assert.deepEqual(without, []);
  const classes = instrumentClasses(universe.instruments).map(({ pesos, mep, cable }) =>
    [pesos, mep, cable].map((one) => one?.ticker),
  );
  assert.equal(classes.length, 58);
  for (const expected of [
    ['AL30', 'AL30D', 'AL30C'],
    ['AE38', 'AE38D', 'AE38C'],
    ['BPOA7', 'BPA7D', undefined],
    ['BA37D', 'BA7DD', undefined],
    ['TECO2', 'TECOD', undefined],
    ['SPY', 'SPYD', 'SPYC'],
    ['YM39O', 'YM39D', 'YM39C'],
  ]) {
    assert.ok(
      classes.some((one) => String(one) === String(expected)),
      String(expected),
    );
  }
});

test('the default universe agrees with its data source', (t) => {
  const path = sharedOrSkip(t, 'universe.csv');
  if (path === undefined) return;
  const source = readTable(path);
  // What criptoya gives in pesos is not in the data source, and in no panel.
  const inPesos = ['BTC/ARS', 'ETH/ARS', 'USDC/ARS'];
  const added = new Set<string>([
    ...inPesos,
    ...addedShares,
    ...addedClasses(),
    ...cedearsWithoutPanel(),
  ]);
  assert.deepEqual(
    sorted(
      universe.instruments
        .filter(({ ticker }) => !added.has(ticker))
        .map((one) => [one.ticker, one.name, one.market]),
    ),
    sorted(
      source.map(({ ticker = '', name, market }) => [
        ticker,
        correctedNames[ticker] ?? name,
        market,
      ]),
    ),
  );
  for (const code of universe.panels.keys()) {
    if (code === 'BON') continue;
    const members = source.flatMap(({ ticker = '', panels = '' }) =>
      (correctedPanels[ticker] ?? panels).split(';').includes(code) ? [ticker] : [],
    );
    assert.deepEqual(
      tickersOf(code).toSorted(),
      [...members, ...(addedMembers[code] ?? [])].toSorted(),
      code,
    );
  }
});

test('the default universe has the terms of 59 issues, each with its sources and the day of its review', () => {
  const rows = Papa.parse<Record<string, string>>(
    readFileSync(resolve(import.meta.dirname, '../universe/bonds.csv'), 'utf8'),
    { header: true, skipEmptyLines: true },
  ).data;
  assert.equal(rows.length, 59);
  assert.equal(universe.bondTerms.length, 59);
  assert.deepEqual(
    rows.filter(({ fuentes, revisado }) => fuentes === '' || revisado === ''),
    [],
  );
});

test('the terms on which sources disagree are in doubt, and no others', () => {
  const doubtful = universe.bondTerms.filter(({ isVerified }) => !isVerified);
  assert.deepEqual(fieldsIn(doubtful, 'ticker'), [
    'AO27',
    'BPOA7',
    'BPOB7',
    'BPOC7',
    'BPOA8',
    'BPOB8',
    'CUAP',
    'D15E7',
    'VSCOO',
  ]);
});

test('the bonds of the panel BONOS without terms are those whose terms nobody confirms', () => {
  const bonds = new Bonds(universe);
  const without = universe.listOf('BONOS').filter((one) => bonds.of(one) === undefined);
  const named = ['PAP0', 'D30N6', 'BA37D', 'BC37D', 'BA7DD', 'BDC28'];
  const sovereign = without.filter(({ kind }) => kind !== 'corporate-bond');
  assert.deepEqual(sovereign.map(({ ticker }) => ticker).toSorted(), named.toSorted());
});

test('every class in dollars of an issue is a class of its terms', () => {
  const bonds = new Bonds(universe);
  for (const one of universe.instruments) {
    const base = one.dollarClass?.base;
    if (base === undefined || !universe.bondTerms.some(({ ticker }) => ticker === base)) continue;
    assert.equal(bonds.of(one)?.terms.ticker, base, one.ticker);
  }
});
