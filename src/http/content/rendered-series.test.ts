import assert from 'node:assert/strict';
import { test } from 'node:test';

import * as fc from 'fast-check';

import { makeUniverse } from '../../../test/support/market/make-universe.ts';
import type { CloseSeries } from '../../domain/history/daily-close.ts';
import { fromEpochDay, type EpochDay } from '../../domain/calendar/plain-date.ts';
import type { Ticker } from '../../domain/instruments/ticker.ts';
import { historyCsv, historyJson } from '../../wire/bodies/history-body.ts';
import type { TableFormat } from '../../wire/params/table-format.ts';
import { RenderedSeries } from './rendered-series.ts';

const instrument = makeUniverse([{ ticker: 'ÑANDÚ' }]).get('ÑANDÚ' as Ticker);
const formats = {
  json: historyJson('json'),
  ndjson: historyJson('ndjson'),
  csv: historyCsv('csv'),
  'csv-comma': historyCsv('csv-comma'),
};

const aDay = fc.integer({ min: 19_000, max: 19_200 });
const aSeries = fc
  .uniqueArray(
    fc.tuple(aDay, fc.double({ min: 0.01, max: 1e7, noNaN: true }), fc.option(fc.nat())),
    {
      selector: ([day]) => day,
      maxLength: 120,
    },
  )
  .map((rows): CloseSeries => {
    const ascending = rows.toSorted(([a], [b]) => a - b);
    return {
      days: Int32Array.from(ascending, ([day]) => day),
      closes: Float64Array.from(ascending, ([, close]) => close),
      volumes: Float64Array.from(ascending, ([, , volume]) => volume ?? Number.NaN),
    };
  });

test('a range of a series is what rendering its rows alone gives', () => {
  const aFormat = fc.constantFrom<TableFormat>('json', 'ndjson', 'csv', 'csv-comma');
  fc.assert(
    fc.property(aSeries, aFormat, fc.array(fc.tuple(aDay, aDay)), (series, format, ranges) => {
      const rendered = new RenderedSeries(instrument, series, { format, readAt: 0, onGrowth() {} });
      for (const [one, other] of ranges) {
        const [from, to] = [Math.min(one, other), Math.max(one, other)] as [EpochDay, EpochDay];
        const parts = rendered.range({ from, to }).pick(['identity'])?.parts ?? [];
        const bytes = Buffer.concat(parts.map((part) => Buffer.from(part as string, 'latin1')));
        assert.equal(bytes.toString(), naive(series, format, { from, to }));
      }
    }),
  );
});

test('a range is compressed when it is asked for a second time', () => {
  const days = Int32Array.from({ length: 200 }, (_, row) => 19_000 + row);
  const column = Float64Array.from(days);
  const series: CloseSeries = { days, closes: column, volumes: column };
  let growths = 0;
  const rendered = new RenderedSeries(instrument, series, {
    format: 'json',
    readAt: 0,
    onGrowth: () => {
      growths += 1;
    },
  });
  const range = { from: 19_000 as EpochDay, to: 19_150 as EpochDay };
  const before = rendered.bytesHeld;
  const ask = () => rendered.range(range).pick(['gzip', 'identity'])?.etag ?? '';
  assert.doesNotMatch(ask(), /gzip/);
  assert.equal(growths, 1);
  assert.match(ask(), /gzip/);
  assert.equal(growths, 2);
  assert.ok(rendered.bytesHeld > before);
  assert.match(ask(), /gzip/);
  assert.equal(growths, 2);
});

test('a range that stays as it was keeps its tag when rows come after it', () => {
  const [before, after] = [tagsOf(100), tagsOf(101)];
  assert.equal(before[0], after[0]);
  assert.notEqual(before[1], after[1]);
});

/** The tags of a range in the past and of one to the end, of a series of so many rows. */
function tagsOf(rows: number): readonly (string | undefined)[] {
  const days = Int32Array.from({ length: rows }, (_, row) => 19_000 + row);
  const column = Float64Array.from(days);
  const series = { days, closes: column, volumes: column };
  const rendered = new RenderedSeries(instrument, series, {
    format: 'json',
    readAt: 0,
    onGrowth() {},
  });
  const range = (to: number) => rendered.range({ from: 19_000 as EpochDay, to: to as EpochDay });
  return [19_050, 19_999].map((to) => range(to).pick(['identity'])?.etag);
}

/** Row by row, without any of what makes it fast. */
function naive(
  { days, closes, volumes }: CloseSeries,
  format: TableFormat,
  { from, to }: { readonly from: number; readonly to: number },
): string {
  const rows = [...days.keys()].filter((row) => (days[row] ?? 0) >= from && (days[row] ?? 0) <= to);
  const texts = rows.flatMap((row) => [
    ...formats[format].rows(instrument, {
      days: days.subarray(row, row + 1),
      closes: closes.subarray(row, row + 1),
      volumes: volumes.subarray(row, row + 1),
    }),
  ]);
  if (format === 'ndjson') return texts.join('');
  if (format !== 'json') {
    const header = ['especie', 'fecha', 'ultimo', 'volumen'].join(format === 'csv' ? ',' : ';');
    return [`${header}\r\n`, ...texts].join('');
  }
  const body = `[${texts.join(',')}]`;
  const dates = (JSON.parse(body) as { readonly fecha: string }[]).map(({ fecha }) => fecha);
  assert.deepEqual(
    dates,
    rows.map((row) => fromEpochDay((days[row] ?? 0) as EpochDay)),
  );
  return body;
}
