/** What docs/integraciones/libreoffice.md shows, in a real LibreOffice Calc against a real service. */
import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, beforeEach, describe, test } from 'node:test';

import { toEpochDay, type PlainDate } from '../../src/domain/calendar/plain-date.ts';
import { until } from '../support/wait.ts';
import { textOf } from '../docs/blocks.ts';
import { fieldsIn } from '../support/fields-in.ts';
import { startCalc, withCalc, type Calc, type Cell } from './support/calc.ts';
import { readRecipe } from './support/recipe-page.ts';
import { startRecipeService } from './support/recipe-service.ts';

const cleanUp = new AsyncDisposableStack();
after(() => cleanUp.disposeAsync());
const service = cleanUp.use(await startRecipeService({ accessLog: 'all' }));

const page = readRecipe('libreoffice.md');
/** The blocks of a section, with the address and the key of the service. */
function blocksOf(heading: string): readonly string[] {
  return page
    .take('text', heading)
    .map((text) =>
      text.trim().replace('https://cotizaciones.example.com/clave/pzc_…', service.keyedUrl),
    );
}
const [tableUrl = '', lookUp = '', dollarsUrl = ''] = blocksOf('Una tabla que se actualiza sola');
const [closesUrl = ''] = blocksOf('Cierres de varias especies');
const [oneCell = ''] = blocksOf('Un precio en una celda');
const [oneRequest = '', fieldOf = ''] = blocksOf('Varios precios con un pedido');

/**
 * What step 2 chooses: semicolon, quotes, UTF-8, from line 1, Spanish of Argentina, and special numbers.
 * The last option is off without its check mark.
 */
const importOptions = '59,34,76,1,,11274,false,true';
const withoutSpecialNumbers = '59,34,76,1,,11274,false,false';

async function rowsAt(target: string): Promise<readonly Readonly<Record<string, unknown>>[]> {
  const response = await fetch(`${service.keyedUrl}${target}`);
  assert.equal(response.status, 200, target);
  return (await response.json()) as readonly Readonly<Record<string, unknown>>[];
}

/** The requests of a run, as the access log has them. */
async function requestsOf(run: () => Promise<unknown>): Promise<readonly string[]> {
  const start = service.server.logged.length;
  await run();
  const lines = service.server.logged.slice(start);
  return lines.flatMap(({ method, path }) =>
    typeof path === 'string' ? [`${String(method)} ${path}`] : [],
  );
}

/** A date as Calc counts it: in days since 1899-12-30. */
function daysOf(date: string): number {
  return toEpochDay(date as PlainDate) - toEpochDay('1899-12-30' as PlainDate);
}

const ofOneUrl = ['OPTIONS /cotizaciones', 'HEAD /cotizaciones', 'GET /cotizaciones'];

describe('LibreOffice Calc', () => {
  let calc: Calc;
  before(async () => {
    if (withCalc.skip === undefined) calc = cleanUp.use(await startCalc());
  });
  beforeEach(async () => {
    if (withCalc.skip === undefined) await calc.ask('open', { url: 'private:factory/scalc' });
  });

  const type = (address: string, formula: string, options = {}): Promise<Cell> =>
    calc.ask('type_in', { address, formula, ...options });
  const read = (address: string): Promise<Cell> => calc.ask('read', { address });
  const rangeOf = (address: string): Promise<readonly (readonly Cell[])[]> =>
    calc.ask('read_range', { address });
  const valuesOf = (address: string): Promise<readonly (readonly (string | number)[])[]> =>
    calc.ask('read_values', { address });
  const link = (url: string, seconds = 60): Promise<string> =>
    calc.ask('link', { url, options: importOptions, seconds });

  test('FunctionAccess evaluates WEBSERVICE with a key in the URL', withCalc, async () => {
    const url = `${service.keyedUrl}/cotizaciones?especie=GGAL&formato=csv`;
    const result = await calc.ask<string>('function', { name: 'WEBSERVICE', args: [url] });
    assert.equal(result, await (await fetch(url)).text());
    assert.match(result, /\r\nGGAL,2026-11-20,16:59:58,8340\.5,/);
  });

  test('a formula gives one price as a number, negative ones included', withCalc, async () => {
    const cell = await type('A1', oneCell);
    assert.deepEqual([cell.number, cell.text], [8340.5, '8340,5']);
    const spread = await type('A2', oneCell.replace('GGAL', 'MEP-CCL'));
    assert.equal(spread.number, -2.35);
    const euro = await type('A3', oneCell.replace('GGAL', 'DOLAR/EURO'));
    assert.equal(euro.number, 1.1625);
  });

  test(
    'the errors are those of the table, and VALOR does not read a decimal point',
    withCalc,
    async () => {
      assert.equal((await type('A1', oneCell.replace('=GGAL', '=NADA'))).text, '#N/D');
      assert.equal((await type('A2', oneCell.replace('especie=', 'panel='))).text, '#¡VALOR!');
      const expired = oneCell.replace(service.urlKey, `${service.urlKey}x`);
      assert.equal((await type('A3', expired)).text, '#¡VALOR!');
      assert.notEqual((await type('A4', '=VALOR("8340.5")')).error, 0);
    },
  );

  test('the English names of the page give the same', withCalc, async () => {
    const names = textOf('docs/integraciones/libreoffice.md').matchAll(/`(\S+)` es `(\S+)`/g);
    const english = Array.from(names, ([, from = '', to = '']) => [from, to] as const);
    assert.ok(english.length > 5);
    const translated = (formula: string): string =>
      english.reduce((text, [from, to]) => text.replaceAll(`${from}(`, `${to}(`), formula);
    const cell = await type('A1', translated(oneCell), { english: true });
    assert.equal(cell.number, 8340.5);
    await type('B1', translated(oneRequest), { english: true });
    await type('A4', 'YPFD');
    await type('B3', 'ultimo');
    assert.equal((await type('B4', translated(fieldOf), { english: true })).number, 41_250);
    await link(tableUrl);
    assert.equal((await type('AB1', translated(lookUp), { english: true })).number, 8340.5);
  });

  test('one text gives a table of prices, and unknown ones are empty', withCalc, async () => {
    await type('B1', oneRequest);
    for (const [row, ticker] of ['GGAL', 'YPFD', 'DOLAR MEP', 'NADA'].entries())
      await type(`A${4 + row}`, ticker);
    for (const [column, field] of ['ultimo', 'variacion', 'varYTD'].entries()) {
      const letter = 'BCD'.charAt(column);
      await type(`${letter}3`, field);
      for (let row = 4; row < 8; row += 1)
        await type(
          `${letter}${row}`,
          fieldOf.replace('$A4', `$A${row}`).replace('B$3', `${letter}$3`),
        );
    }
    const rows = await rangeOf('B4:D7');
    assert.deepEqual(
      rows.map((row) => row.map(({ number, text }) => number ?? text)),
      [
        [8340.5, 1.01, ''],
        [41_250, 1.01, ''],
        [1502.35, 1.01, ''],
        ['', '', ''],
      ],
    );
  });

  test(
    'a URL costs the three requests that the page names, and another one only if its end changes',
    withCalc,
    async () => {
      const [url = ''] = /"https?:[^"]*/.exec(oneRequest) ?? [];
      const withEnd = `=SERVICIOWEB(${url.replace('YPFD', 'ALUA')}"&D1)`;
      await type('D1', '1');
      assert.deepEqual(await requestsOf(() => type('B1', withEnd)), ofOneUrl);
      const first = await read('B1');
      service.show('ALUA', 1234.5);
      assert.deepEqual(await requestsOf(() => calc.ask('recalculate')), []);
      assert.deepEqual(await read('B1'), first);
      assert.deepEqual(await requestsOf(() => type('D1', '2')), ofOneUrl);
      assert.match((await read('B1')).text, /"especie":"ALUA".{0,60}"ultimo":1234\.5/);
    },
  );

  test(
    'a linked table has dates and numbers, is found by ticker and field, and is refreshed',
    withCalc,
    async () => {
      assert.equal(await link(tableUrl), 'Text - txt - csv (StarCalc)');
      const [heading = [], first = []] = await rangeOf('A1:L2');
      assert.deepEqual(fieldsIn(heading.slice(0, 5), 'text'), [
        'especie',
        'fecha',
        'hora',
        'ultimo',
        'variacion',
      ]);
      const [ticker, date, time, last] = first;
      const [quote] = await rowsAt('/cotizaciones?panel=LID');
      assert.deepEqual([ticker?.text, ticker?.number], [quote?.['especie'], null]);
      assert.deepEqual([date?.text, date?.isDate], ['2026-11-20', true]);
      assert.equal(Math.round((time?.number ?? 0) * 86_400), (16 * 60 + 59) * 60 + 58);
      assert.equal(last?.number, quote?.['ultimo']);

      assert.equal((await type('AB1', lookUp)).number, 8340.5);
      service.show('GGAL', 8400.25);
      const requests = await requestsOf(() => calc.ask('refresh'));
      assert.equal(requests.length, 3);
      assert.equal((await read('AB1')).number, 8400.25);
      service.show('GGAL', 8340.5);
    },
  );

  test('a linked table is updated by itself', withCalc, async () => {
    await link(tableUrl, 1);
    await type('AB1', lookUp);
    service.show('GGAL', 8500.75);
    await until('the new price is in the table', async () => {
      const { number } = await read('AB1');
      return number === 8500.75;
    });
    service.show('GGAL', 8340.5);
  });

  test(
    'a linked table is replaced by a text when a request fails, and returns with the next one',
    withCalc,
    async () => {
      await link(tableUrl);
      const table = await rangeOf('A1:L21');
      const { keyRing } = service.server;
      const { keys } = await service.server.store.keys.readAll();
      keyRing.replace([]);
      try {
        await calc.ask('refresh');
        assert.equal((await read('A1')).text, 'No se pudo actualizar el enlace.');
      } finally {
        keyRing.replace(keys);
      }
      await calc.ask('refresh');
      assert.deepEqual(await rangeOf('A1:L21'), table);
    },
  );

  test('every table of a URL that the page shows is linked with numbers', withCalc, async () => {
    await link(dollarsUrl);
    const rows = await rangeOf('A1:C2');
    assert.notEqual(rows[0]?.[0]?.text, '');
    assert.ok(rows[1]?.some(({ number }) => number !== null));
  });

  test(
    'closes of several instruments with decimal commas open with dates and numbers',
    withCalc,
    async () => {
      const body = await (await fetch(closesUrl)).text();
      const expected = await rowsAt(
        closesUrl.replace(service.keyedUrl, '').replace('&formato=csv&decimal=coma', ''),
      );
      const path = join(calc.directory, 'closes.csv');
      await writeFile(path, body);
      await calc.ask('import_csv', { path, options: importOptions });
      const [heading, ...rows] = await valuesOf(`A1:D${expected.length + 1}`);
      assert.deepEqual(heading, ['fecha', 'GGAL', 'YPFD', 'DOLAR MEP']);
      assert.ok(rows.length > 200);
      assert.deepEqual(
        rows,
        expected.map(({ fecha, ...values }) => [daysOf(String(fecha)), ...Object.values(values)]),
      );
      const last = await read(`A${expected.length + 1}`);
      assert.deepEqual([last.isDate, last.text], [true, expected.at(-1)?.['fecha']]);
    },
  );

  test(
    'docs/spreadsheets.md: a saved CSV is linked with numbers, and a column can be summed',
    withCalc,
    async () => {
      const target = '/cotizaciones?panel=IND';
      const body = await (
        await fetch(`${service.keyedUrl}${target}&formato=csv&decimal=coma`)
      ).text();
      const path = join(calc.directory, 'panel.csv');
      await writeFile(path, body);
      await link(`file://${path}`);
      const lasts = (await rowsAt(target)).map(({ ultimo }) => Number(ultimo));
      assert.equal((await read('D1')).text, 'ultimo');
      const sum = (await type('AB1', `=SUMA(D2:D${lasts.length + 1})`)).number ?? Number.NaN;
      const expected = lasts.reduce((total, last) => total + last, 0);
      assert.ok(Math.abs(sum - expected) < 0.01, `${sum}`);
    },
  );

  test(
    'no ticker is read as a number, and the time is one only with special numbers',
    withCalc,
    async () => {
      const tickers = (await (await fetch(`${service.keyedUrl}/especies.txt`)).text())
        .trim()
        .split('\n');
      const lines = ['especie;hora', ...tickers.map((ticker) => `${ticker};16:59:58`)];
      const path = join(calc.directory, 'tickers.csv');
      await writeFile(path, `${lines.join('\r\n')}\r\n`);
      await calc.ask('import_csv', { path, options: importOptions });
      assert.deepEqual(
        await valuesOf(`A2:A${lines.length}`),
        tickers.map((ticker) => [ticker]),
      );
      assert.notEqual((await read('B2')).number, null);
      await calc.ask('import_csv', { path, options: withoutSpecialNumbers });
      assert.equal((await read('B2')).number, null);
    },
  );

  test(
    'a saved file has the key, and requests nothing until it is permitted',
    withCalc,
    async () => {
      await type('A1', oneRequest);
      const path = join(calc.directory, 'saved.fods');
      const requests = await requestsOf(async () => {
        await calc.ask('save_and_open', { path });
        assert.equal((await read('A1')).text, 'Err:540');
      });
      assert.deepEqual(requests, []);
      assert.ok((await readFile(path, 'utf8')).includes(service.urlKey));
    },
  );
});
