import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { after, before, describe, test } from 'node:test';
import { gunzipSync, inflateRawSync } from 'node:zlib';
import {
  runPizarra,
  startPizarra,
  temporaryDirectory,
  type RunningService,
} from '../support/program/program.ts';
import { sharedData } from '../support/program/shared-data.ts';

/**
 * The first day of an operator: start the program, import real files of every layout, and request the
 * data. The test reads the files with its own code, independently of the importer.
 */

/** One row of a file: date, close, volume (null when the instrument has none). */
type Row = readonly [date: string, close: number, volume: number | null];

interface Layout {
  readonly name: string;
  readonly file: string;
  readonly options?: readonly string[];
  readonly ticker: string;
  readonly decimals: number;
  readonly rows: (bytes: Buffer) => Row[];
}

const rava = 'history/lmpizarro__pyRofex/ratios/datos';
const argentinadatos = 'history/enzonotario__esjs-argentina-datos-api/datos/v1';

const layouts: readonly Layout[] = [
  ...['AL30', 'AL30D', 'GD30', 'GD46D'].map((ticker) => ({
    name: 'Rava history',
    file: `${rava}/${ticker} - Cotizaciones historicas.csv`,
    ticker,
    decimals: 5,
    rows: (bytes: Buffer): Row[] =>
      lines(bytes).map((cells) => [cells[2] ?? '', Number(cells[6]), Number(cells[7])]),
  })),
  {
    name: 'Rava quotes',
    file: `${rava}/DOLAR MEP - Cotizaciones historicas.csv`,
    ticker: 'DOLAR MEP',
    decimals: 2,
    rows: (bytes) => lines(bytes).map((cells) => [cells[11] ?? '', Number(cells[1]), null]),
  },
  {
    name: 'argentinadatos exchange rate',
    file: `${argentinadatos}/cotizaciones/dolares/blue/index.json`,
    ticker: 'DOLAR BLUE VENTA',
    decimals: 2,
    rows: (bytes) =>
      (JSON.parse(bytes.toString()) as { fecha: string; compra: number; venta: number }[])
        // A row whose bid is above its ask is rejected: one of both is wrong.
        .filter(({ compra, venta }) => compra <= venta)
        .map((row) => [row.fecha, row.venta, null]),
  },
  {
    name: 'argentinadatos index',
    file: `${argentinadatos}/finanzas/indices/riesgo-pais/index.json`,
    ticker: 'RIESGO PAIS',
    decimals: 0,
    rows: (bytes) =>
      (JSON.parse(bytes.toString()) as { fecha: string; valor: number }[]).map((row) => [
        row.fecha,
        row.valor,
        null,
      ]),
  },
  {
    name: 'Nasdaq',
    file: 'history/dieperdev__nasdaq-stock-data/data/YPF.csv',
    ticker: 'YPF_US',
    decimals: 4,
    rows: (bytes) =>
      lines(bytes)
        .map((cells): Row => {
          const [month, day, year] = (cells[0] ?? '').split('/');
          // The volume is the quoted cell, because it contains commas.
          const text = cells.join(',');
          const volume = /"([^"]+)"/.exec(text)?.[1] ?? cells[2] ?? '';
          return [
            `${year}-${month}-${day}`,
            Number(cells[1]?.replaceAll(/[$,]/g, '')),
            Number(volume.replaceAll(',', '')),
          ];
        })
        .toReversed(),
  },
  {
    name: 'Yahoo',
    file: 'history/dieperdev__yfinance-stock-data/data/GGAL.csv',
    options: ['--suffix', '_US'],
    ticker: 'GGAL_US',
    decimals: 4,
    rows: (bytes) =>
      lines(bytes).map((cells) => [cells[0] ?? '', Number(cells[4]), Number(cells[6])]),
  },
  {
    name: 'wide matrix',
    file: 'history/quatrope__garpar/garpar/datasets/data/merval2020-2022.csv',
    options: ['--suffix', ''],
    ticker: 'PAMP',
    decimals: 4,
    rows: (bytes) => {
      const [head = []] = lines(bytes, 0);
      const column = head.indexOf('PAMP');
      return lines(bytes)
        .filter((cells) => cells[column] !== '')
        .map((cells) => [cells[0] ?? '', Number(cells[column]), null]);
    },
  },
  {
    name: 'zip',
    file: 'history/QuantConnect__Lean/Data/equity/usa/daily/spy.zip',
    options: ['--suffix', '_US'],
    ticker: 'SPY_US',
    decimals: 4,
    rows: (bytes) =>
      lines(firstEntry(bytes), 0).map((cells) => [
        `${cells[0]?.slice(0, 4)}-${cells[0]?.slice(4, 6)}-${cells[0]?.slice(6, 8)}`,
        Number(cells[4]) / 10_000,
        Number(cells[5]),
      ]),
  },
  {
    name: 'gzip',
    file: 'history/stefan-jansen__zipline-reloaded/tests/resources/csvdir_samples/csvdir/daily/IBM.csv.gz',
    options: ['--ticker', 'IBM'],
    ticker: 'IBM',
    decimals: 4,
    rows: (bytes) =>
      lines(gunzipSync(bytes)).map((cells) => [cells[0] ?? '', Number(cells[4]), Number(cells[5])]),
  },
];

/** The commands that import all files: one for the files with the same options. */
function commands(): readonly {
  readonly files: readonly string[];
  readonly options: readonly string[];
}[] {
  const byOptions = Map.groupBy(layouts, ({ options = [] }) => options.join(' '));
  return [...byOptions.values()].map((group) => ({
    files: group.map(({ file }) => sharedData(file) ?? assert.fail(`${file} is not there`)),
    options: group[0]?.options ?? [],
  }));
}

/** The first entry of a zip archive. Its deflated data follow its local header (APPNOTE 4.3.7). */
function firstEntry(zip: Buffer): Buffer {
  return inflateRawSync(zip.subarray(30 + zip.readUInt16LE(26) + zip.readUInt16LE(28)));
}

/** The cells of all lines after the heading, split at every comma, also within quotes. */
function lines(bytes: Buffer, headings = 1): string[][] {
  const all = bytes
    .toString('utf8')
    .split(/\r?\n/)
    .filter((line) => line !== '');
  return all.slice(headings).map((line) => line.split(','));
}

/** The rows that the service must have: no weekends, and the last row of a repeated date. */
function expectedRows(rows: readonly Row[]): Row[] {
  const byDate = new Map(rows.filter(([date]) => !isWeekend(date)).map((row) => [row[0], row]));
  return [...byDate.values()].filter(([date]) => date <= lastDay);
}

/** The last compared day. */
const lastDay = '2024-12-31';

/** The only holiday on which a file has a price of its own: the informal dollar moved from 120 to 118. */
const pricedHoliday = '2020-05-01';

/**
 * The rows that the service left out. The test's own code knows no holidays: a source repeats the price
 * of the day before on a holiday, so only such rows may be left out.
 */
function leftOut(rows: readonly Row[], served: ReadonlySet<string>): readonly string[] {
  return rows.flatMap(([date, close], index) => {
    const isRepeated = rows[index - 1]?.[1] === close;
    return served.has(date) || isRepeated ? [] : [date];
  });
}

function isWeekend(date: string): boolean {
  return [0, 6].includes(new Date(`${date}T00:00:00Z`).getUTCDay());
}

const hasData = sharedData('history') !== undefined;

describe('first day', { skip: hasData ? false : 'the shared market data is not available' }, () => {
  const cleanUp = new AsyncDisposableStack();
  let service: RunningService;
  let key = '';
  let data = '';

  before(async () => {
    ({ path: data } = cleanUp.use(await temporaryDirectory()));
    service = cleanUp.use(await startPizarra(['--store', data]));
    key = await service.firstKey();
    // The server runs during the import, and serves the imported data without a restart.
    for (const { files, options } of commands()) {
      const { code, stderr } = await runPizarra(['import', ...files, '--store', data, ...options]);
      assert.equal(code, 0, `${files.join()}: ${stderr}`);
    }
  });
  after(() => cleanUp.disposeAsync());

  async function get(target: string): Promise<unknown> {
    const response = await fetch(service.url + target, {
      headers: { authorization: `Bearer ${key}` },
    });
    assert.equal(response.status, 200);
    return response.json();
  }

  for (const { name, file, ticker, decimals, rows } of layouts) {
    test(`${name}: /historicos of ${ticker} equals the file, row by row`, async () => {
      const path = sharedData(file) ?? assert.fail(`${file} is not there`);
      const all = expectedRows(rows(readFileSync(path)));
      const range = `desde=1900-01-01&hasta=${lastDay}`;
      const served = (await get(`/historicos?especie=${encodeURIComponent(ticker)}&${range}`)) as {
        especie: string;
        fecha: string;
        ultimo: number;
        volumen: number | null;
      }[];
      const dates = new Set(served.map(({ fecha }) => fecha));
      assert.deepEqual(leftOut(all, dates), ticker === 'DOLAR BLUE VENTA' ? [pricedHoliday] : []);
      const expected = all.filter(([date]) => dates.has(date));
      assert.equal(served.length, expected.length);
      assert.ok(all.length - expected.length < 100);
      for (const [index, [date, close, volume]] of expected.entries()) {
        const row = served[index];
        assert.deepEqual([row?.especie, row?.fecha, row?.volumen], [ticker, date, volume]);
        const difference = Math.abs((row?.ultimo ?? Number.NaN) - close);
        assert.ok(difference <= 0.5 * 10 ** -decimals + 1e-9, `${date}: ${row?.ultimo}, ${close}`);
      }
    });
  }

  test('/cotizaciones?panel=BONOS equals the files, including the bases of month and year', async () => {
    const quotes = (await get('/cotizaciones?panel=BONOS')) as Record<string, unknown>[];
    const bonds = layouts.filter((layout) => layout.name === 'Rava history');
    assert.deepEqual(
      quotes.map((quote) => quote['especie']).toSorted(byText),
      bonds.map((one) => one.ticker).toSorted(byText),
    );
    for (const { file, ticker, rows } of bonds) {
      const path = sharedData(file) ?? assert.fail(`${file} is not there`);
      const closes = rows(readFileSync(path));
      const [date, last] = closes.at(-1) ?? assert.fail('an empty file');
      const cells = lines(readFileSync(path)).at(-1) ?? [];
      const closeBefore = (bound: string): number =>
        closes.findLast(([day]) => day < bound)?.[1] ?? Number.NaN;
      const percent = (base: number): number => Math.round((last / base - 1) * 10_000) / 100;
      assert.deepEqual(
        quotes.find((quote) => quote['especie'] === ticker),
        {
          especie: ticker,
          fecha: date,
          ultimo: shown(last),
          variacion: percent(closeBefore(date)),
          anterior: shown(closeBefore(date)),
          apertura: shown(Number(cells[3])),
          minimo: shown(Number(cells[5])),
          maximo: shown(Number(cells[4])),
          varMTD: percent(closeBefore('2024-02-01')),
          varYTD: percent(closeBefore('2024-01-01')),
          volumen: Number(cells[7]),
        },
      );
    }
  });

  test('importing again changes nothing', async () => {
    for (const { files, options } of commands()) {
      const { stdout } = await runPizarra(['import', ...files, '--store', data, ...options]);
      assert.match(stdout, /added 0, changed 0, same [1-9]/, files.join());
    }
  });
});

function byText(a: unknown, b: unknown): number {
  return String(a).localeCompare(String(b));
}

/** A price with the decimals of a bond: at most five. */
function shown(price: number): number {
  return Number(price.toFixed(5));
}
