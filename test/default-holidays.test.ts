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
} from '../src/domain/calendar/plain-date.ts';
import type { EpochDay } from '../src/domain/calendar/plain-date.ts';
import { formatUniverseFaults } from '../src/universe/format-universe-faults.ts';
import { loadUniverse } from '../src/universe/load-universe.ts';
import { sharedData } from './support/program/shared-data.ts';

const result = await loadUniverse(resolve(import.meta.dirname, '../universe'));
assert.ok(result.ok, result.ok ? '' : formatUniverseFaults(result.faults));
const { markets } = result.universe;

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
    { dates: datesOf(bond, { column: 'fecha' }), missing: ['2023-11-06'] },
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
