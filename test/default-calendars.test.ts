import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { test } from 'node:test';
import { gunzipSync } from 'node:zlib';
import Papa from 'papaparse';
import {
  fromEpochDay,
  isoWeekday,
  parsePlainDate,
  toEpochDay,
  type EpochDay,
  type PlainDate,
} from '../src/domain/calendar/plain-date.ts';
import { Bonds } from '../src/domain/bonds/bonds.ts';
import { businessDaysBefore, settlementOf } from '../src/domain/calendar/business-days.ts';
import { SessionCalendar } from '../src/domain/calendar/session-calendar.ts';
import type { Ticker } from '../src/domain/instruments/ticker.ts';
import { formatUniverseFaults } from '../src/universe/files/universe-fault.ts';
import { loadUniverse } from '../src/universe/load-universe.ts';
import { sharedData } from './support/program/shared-data.ts';

const result = await loadUniverse(resolve(import.meta.dirname, '../universe'));
assert.ok(result.ok, result.ok ? '' : formatUniverseFaults(result.faults));
const { markets } = result.universe;

const calendarOf = (code: string) => new SessionCalendar(markets.get(code) ?? assert.fail(code));

/** The days of the years that match on which a market trades and does not settle. */
function unsettledOf(code: string, years: RegExp): string {
  const { unsettled } = markets.get(code) ?? assert.fail(code);
  return [...unsettled].filter((date) => years.test(date)).join(' ');
}

/** Calls a function with each day from 2020 to 2027. */
function eachDay(take: (date: PlainDate) => void): void {
  const last = toEpochDay('2027-12-31' as PlainDate);
  for (let day = toEpochDay('2020-01-01' as PlainDate); day <= last; day = (day + 1) as EpochDay) {
    take(fromEpochDay(day));
  }
}

/** The holidays of a market within years, both included, in the order of time. */
function holidaysOf(code: string, [first, last]: readonly [number, number]): readonly string[] {
  const { holidays } = markets.get(code) ?? assert.fail(code);
  const dates = [...holidays.keys()].filter((date) => {
    const year = Number(date.slice(0, 4));
    return year >= first && year <= last;
  });
  return dates.toSorted();
}

/** The dates of a recorded series, in the order of time. */
function datesOf(
  path: string,
  { column, format }: { readonly column: string; readonly format?: 'm/d/y' },
): readonly string[] {
  const bytes = readFileSync(path);
  const text = (path.endsWith('.gz') ? gunzipSync(bytes) : bytes).toString('utf8');
  const { data } = Papa.parse<Record<string, string>>(text, { header: true, skipEmptyLines: true });
  const dates = data.map((row) => row[column] ?? '').filter((date) => date !== '');
  if (format === undefined) return dates.toSorted();
  return dates.map((date) => date.replace(/^(..)\/(..)\/(....)$/, '$3-$1-$2')).toSorted();
}

/** The days from Monday to Friday within a series on which it has no price. */
function weekdaysWithout(dates: readonly string[]): readonly string[] {
  const known = new Set(dates);
  const [first, last] = [dates[0], dates.at(-1)].map((date) =>
    toEpochDay(parsePlainDate(date ?? '') ?? assert.fail()),
  );
  const found: string[] = [];
  for (let day = first ?? 0; day <= (last ?? 0); day += 1) {
    const date = fromEpochDay(day as EpochDay);
    if (isoWeekday(day as EpochDay) <= 5 && !known.has(date)) found.push(date);
  }
  return found;
}

test('no holiday is on a day of the week on which its market is closed anyway', () => {
  for (const { code, holidays, weekdays } of markets.values()) {
    for (const date of holidays.keys()) {
      assert.ok(weekdays.has(isoWeekday(toEpochDay(date))), `${code} ${date}`);
    }
  }
});

test('no day without settlement is a holiday, and each has a session', () => {
  for (const market of markets.values()) {
    const calendar = new SessionCalendar(market);
    for (const date of market.unsettled) {
      assert.ok(calendar.isSession(date) && !calendar.isSettlement(date), `${market.code} ${date}`);
    }
  }
});

test('the exchanges trade without settling on these days, each market by its own banks', () => {
  const byma = unsettledOf('BYMA', /^/);
  assert.equal(
    byma,
    '2024-06-21 2024-10-11 2025-05-02 2025-08-15 2025-11-21 2025-12-24 2020-11-06 2024-11-06 ' +
      '2025-11-06 2026-11-06 2024-12-24 2026-12-24 2027-12-24 2026-03-23 2026-07-10 2026-12-07',
  );
  assert.equal(unsettledOf('A3', /^/), byma);
  assert.equal(unsettledOf('NYSE', /^202[67]/), '2026-10-12 2027-10-11 2026-11-11 2027-11-11');
  for (const code of ['CRIPTO', 'FX', 'INFORMAL', 'JP MORGAN'])
    assert.equal(unsettledOf(code, /^/), '');
});

test('from 2020 to 2027, the exchanges, the wholesale dollar and the central bank settle on the same days', () => {
  const [first, ...others] = ['BYMA', 'A3', 'MAE', 'BCRA'].map(calendarOf);
  eachDay((date) => {
    for (const other of others) {
      const { code } = other.market;
      assert.equal(other.isSettlement(date), first?.isSettlement(date), `${code} ${date}`);
    }
  });
});

test('from 2020 to 2027, every trade settles on a settlement day, no trade before an earlier one, by either term', () => {
  for (const code of markets.keys()) {
    const calendar = calendarOf(code);
    let [sameBefore, nextBefore] = ['', ''];
    eachDay((date) => {
      const [same, next] = (['same-day', 'next-day'] as const).map((term) =>
        settlementOf(calendar, date, term),
      );
      assert.ok(same !== undefined && next !== undefined);
      assert.ok(calendar.isSettlement(same) && calendar.isSettlement(next), `${code} ${date}`);
      const session = calendar.isSession(date) ? date : calendar.nextSession(date);
      assert.ok(same >= session && next >= calendar.nextSession(session), `${code} ${date}`);
      assert.ok(same >= sameBefore && next >= nextBefore, `${code} ${date}`);
      [sameBefore, nextBefore] = [same, next];
    });
  }
});

test('trades around bridge days, Christmas and 6 November settle when the banks are open again', () => {
  const byma = calendarOf('BYMA');
  for (const [traded, settled] of [
    // Until 24 May 2024 a trade settles on the second day.
    ['2020-11-05', '2020-11-10'],
    ['2020-12-23', '2020-12-29'],
    ['2022-12-19', '2022-12-21'],
    ['2023-11-03', '2023-11-08'],
    ['2024-03-27', '2024-04-04'],
    ['2024-12-23', '2024-12-26'],
    ['2024-12-30', '2025-01-02'],
    ['2025-11-05', '2025-11-07'],
    ['2025-11-20', '2025-11-25'],
    ['2025-11-21', '2025-11-25'],
    ['2026-03-20', '2026-03-25'],
    ['2026-07-08', '2026-07-13'],
    ['2026-11-05', '2026-11-11'],
    ['2026-12-04', '2026-12-09'],
    ['2026-12-23', '2026-12-28'],
    ['2026-12-30', '2027-01-04'],
    ['2027-12-23', '2027-12-27'],
  ] as const) {
    assert.equal(settlementOf(byma, traded as PlainDate, 'next-day'), settled, traded);
  }
  // On the New York exchanges, Columbus Day trades and does not settle.
  assert.equal(
    settlementOf(calendarOf('NYSE'), '2026-10-09' as PlainDate, 'next-day'),
    '2026-10-13',
  );
  assert.equal(
    settlementOf(calendarOf('CRIPTO'), '2026-12-04' as PlainDate, 'next-day'),
    '2026-12-05',
  );
});

test('the initial CER of X29Y6 and of X30N6 are ten settlement days before their settlement', () => {
  const byma = calendarOf('BYMA');
  const days = ['2025-11-28', '2025-12-15'].map((settled) =>
    businessDaysBefore(byma, settled as PlainDate, 10),
  );
  assert.deepEqual(days, ['2025-11-12', '2025-11-28']);
  // CER grows to 15 November by the inflation of September, 2.1 %, and then by that of October, 2.3 %.
  const ratio = 1.021 ** (3 / 31) * 1.023 ** (13 / 30);
  assert.ok(Math.abs(651.8981 * ratio - 659.6789) < 0.001, String(651.8981 * ratio));
});

test('AL30 pays its coupon of 9 July 2026, a holiday before a bridge day, on the Monday', () => {
  const bond = new Bonds(result.universe).of({ ticker: 'AL30' as Ticker });
  const flow = bond?.flows.find(({ date }) => date === '2026-07-09');
  assert.equal(flow?.paid, '2026-07-13');
});

test('every year from 1990 has 8 to 13 holidays in New York, and from 2020 12 to 22 in Argentina', () => {
  for (let year = 1990; year <= 2027; year += 1) {
    const count = holidaysOf('NYSE', [year, year]).length;
    assert.ok(count >= 8 && count <= 13, `NYSE ${year}: ${count}`);
    const inArgentina = holidaysOf('BYMA', [year, year]).length;
    const [least, most] = year < 2020 ? [0, 0] : [12, 22];
    assert.ok(inArgentina >= least && inArgentina <= most, `BYMA ${year}: ${inArgentina}`);
  }
});

test('New York: from 1990 to 2024, the holidays are exactly the days without prices', (t) => {
  const index = 'skfolio__skfolio/src/skfolio/datasets/data/sp500_index.csv.gz';
  const paths = [index, 'dieperdev__nasdaq-stock-data/data/GGAL.csv'].map((path) =>
    sharedData(`history/${path}`),
  );
  const [sp500, ggal] = paths;
  if (sp500 === undefined || ggal === undefined) {
    t.skip('the shared market data is not available, so the holidays were not compared');
    return;
  }
  for (const dates of [
    datesOf(sp500, { column: 'Date' }),
    datesOf(ggal, { column: 'Date', format: 'm/d/y' }),
  ]) {
    const [first = '', last = ''] = [dates[0], dates.at(-1)];
    const listed = holidaysOf('NYSE', [1990, 2024]).filter((date) => date > first && date < last);
    assert.deepEqual(listed, weekdaysWithout(dates));
  }
});

test('BYMA: on no holiday from 2020 on do the recorded bond and shares have a price', (t) => {
  const bond = sharedData(
    'history/lmpizarro__pyRofex/ratios/datos/AL30 - Cotizaciones historicas.csv',
  );
  const shares = sharedData('history/quatrope__garpar/garpar/datasets/data/merval2020-2022.csv');
  if (bond === undefined || shares === undefined) {
    t.skip('the shared market data is not available, so the holidays were not compared');
    return;
  }
  const holidays = new Set(holidaysOf('BYMA', [2020, 2027]));
  // In the recording of the shares, days are missing on which the bond was traded.
  const recordings = [
    { dates: datesOf(bond, { column: 'fecha' }), missing: [] },
    {
      dates: datesOf(shares, { column: 'Days' }),
      missing: ['2021-06-30', '2021-07-07', '2021-07-14'],
    },
  ];
  for (const { dates, missing } of recordings) {
    assert.deepEqual(
      dates.filter((date) => holidays.has(date)),
      [],
    );
    assert.deepEqual(
      weekdaysWithout(dates).filter((date) => !holidays.has(date)),
      missing,
    );
  }
});
