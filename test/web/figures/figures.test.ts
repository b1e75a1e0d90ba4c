import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';

import type { Page } from 'playwright-core';

import { columnKinds, holdQuotes, shows, type SentQuote } from './shown-figures.ts';
import { agrees } from '../browser/agrees.ts';
import { setStage } from '../browser/stage.ts';
import { boardRows, test, tickersOn } from '../browser/visitor.ts';

const stage = setStage();
const fields = Object.keys(columnKinds);
const everyColumn = {
  'pizarra.columns': fields,
  'pizarra.columns.bonos': fields,
  'pizarra.columns.cedears': fields,
  'pizarra.columns.all': true,
};

/** A row of a view: its ticker, and its texts by the field that they show. */
type ShownRow = readonly [ticker: string, texts: Readonly<Record<string, string>>];

/** The unit of the change of each instrument, as the service says it. */
async function readUnits(): Promise<(ticker: string, field: string) => string> {
  const infos = await stage.demo.get<readonly Readonly<Record<string, string>>[]>('especies.json');
  const points = infos.filter((info) => info['unidadVariacion'] === 'puntos');
  const inPoints = new Set(points.map((info) => info['especie']));
  return (ticker, field) =>
    field === 'variacion' && inPoints.has(ticker) ? '\u00a0pts' : '\u00a0%';
}

/** What rows show that is not what was sent. */
function differences(
  rows: readonly ShownRow[],
  sent: ReadonlyMap<string, SentQuote>,
  unitOf: (ticker: string, field: string) => string,
): readonly string[] {
  return rows.flatMap(([ticker, texts]) =>
    Object.entries(texts).flatMap(([field, text]) => {
      const quote = sent.get(ticker);
      const isRight = shows(text, quote, field, unitOf(ticker, field));
      return isRight ? [] : [`${ticker} ${field}: ${text} for ${quote?.[field]}`];
    }),
  );
}

function tableRows(page: Page): Promise<readonly ShownRow[]> {
  return page
    .locator('table.board tbody tr')
    .evaluateAll(
      (rows, names) =>
        rows.map((row): ShownRow => [
          row.querySelector('[data-ticker]')?.textContent ?? '',
          Object.fromEntries(
            names.map((name) => [name, row.querySelector(`td.col-${name}`)?.textContent ?? '?']),
          ),
        ]),
      fields,
    );
}

function mapRows(page: Page): Promise<readonly ShownRow[]> {
  return page.locator('.heat .drawn-values tbody tr').evaluateAll((rows) =>
    rows.map((row): ShownRow => {
      const [variacion = '?', monto = '?'] = [...row.children]
        .slice(1)
        .map((cell) => cell.textContent);
      return [row.querySelector('th')?.textContent ?? '', { variacion, monto }];
    }),
  );
}

/** The tiles of a map. The name of each has its change, also where the tile has no room for it. */
function tileRows(page: Page): Promise<readonly ShownRow[]> {
  return page.locator('a.tile').evaluateAll((tiles) =>
    tiles.map((tile): ShownRow => {
      const ticker = (tile as HTMLElement).dataset['ticker'] ?? '';
      const name = tile.getAttribute('title') ?? '';
      return [ticker, { variacion: name.slice(ticker.length + 1).split(' · ')[0] ?? '?' }];
    }),
  );
}

function wallRows(page: Page): Promise<readonly ShownRow[]> {
  return page.locator('.wall-rows li').evaluateAll((rows) =>
    rows.map((row): ShownRow => [
      row.querySelector('a')?.textContent ?? '',
      {
        ultimo: row.querySelector('.wall-price')?.textContent ?? '?',
        variacion: row.querySelector('.change')?.textContent ?? '?',
      },
    ]),
  );
}

/** The rows of an export with decimal commas, by the names of its columns. */
async function exportedRows(page: Page): Promise<readonly Readonly<Record<string, string>>[]> {
  await page.getByRole('button', { name: 'Exportar' }).click();
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Descargar CSV' }).click(),
  ]);
  const [head = '', ...lines] = (await readFile(await download.path(), 'utf8'))
    .trim()
    .split('\r\n');
  const names = head.replace('\uFEFF', '').split(';');
  return lines.map((line) =>
    Object.fromEntries(line.split(';').map((text, at) => [names[at] ?? '?', text])),
  );
}

/** An export has all decimals of each number. */
function checkExported(
  row: Readonly<Record<string, string>>,
  sent: ReadonlyMap<string, SentQuote>,
): void {
  const { convencion, ...rest } = row;
  const isCounted = ['tir', 'durationModificada', 'paridad'].some((name) => row[name] !== '');
  assert.equal(convencion, isCounted ? 'pizarra' : '', `${row['especie']} convencion`);
  const quote = sent.get(row['especie'] ?? '');
  for (const [name, text] of Object.entries(rest)) {
    const value = name === 'especie' ? row[name] : (quote?.[name] ?? '');
    const shown = typeof value === 'number' ? Number(text.replace(',', '.')) : text;
    assert.equal(shown, value, `${row['especie']} ${name}`);
  }
}

test('every figure of every panel is that of the service: in the table, the map, the wall and the export', async (visit) => {
  const { page, open } = await visit(stage, undefined, { isNew: true });
  const sent = await holdQuotes(page);
  const unitOf = await readUnits();
  await open('#/panel/LID', everyColumn);
  await boardRows(page).first().waitFor();
  const tabs = await page
    .locator('.tabs a[href^="#/panel/"]')
    .evaluateAll((links) => links.map((link) => link.getAttribute('href') ?? ''));
  assert.ok(tabs.length >= 10, tabs.join());
  let cells = 0;
  for (const tab of tabs) {
    const code = tab.replace('#/panel/', '');
    const quotes = () => sent.of(`panel=${code}`);
    /** Waits until a view shows what was sent, and returns its tickers. */
    const agree = async (what: string, read: (from: Page) => Promise<readonly ShownRow[]>) => {
      let rows: readonly ShownRow[] = [];
      await agrees(`${code}, ${what}`, async () => {
        rows = await read(page);
        // The rows of the stored members have no quotes until the response.
        const isShown = rows.length > 0 && quotes().size > 0;
        return isShown ? differences(rows, quotes(), unitOf) : ['nothing is shown'];
      });
      return rows.map(([ticker]) => ticker);
    };
    const isComplete = (tickers: readonly string[]) => {
      const shown = new Set(tickers);
      assert.deepEqual(
        [...quotes().keys()].filter((ticker) => !shown.has(ticker)),
        [],
      );
      assert.equal(shown.size, tickers.length, 'each once');
    };
    await page.goto(stage.demo.url + tab);
    const inTable = await agree('table', tableRows);
    isComplete(inTable);
    cells += inTable.length * fields.length;
    const exported = await exportedRows(page);
    assert.deepEqual(
      exported.map((row) => row['especie']),
      inTable,
    );
    for (const row of exported) checkExported(row, quotes());

    await page.goto(`${stage.demo.url}${tab}?vista=mapa`);
    await page.locator('a.tile').first().waitFor();
    const currencies = page.getByRole('group', { name: 'Moneda' }).getByRole('button');
    const inMap: string[] = [];
    for (let at = 0; at < Math.max(1, await currencies.count()); at += 1) {
      if ((await currencies.count()) > 0) await currencies.nth(at).click();
      await agree('tiles', tileRows);
      inMap.push(...(await agree('map', mapRows)));
    }
    isComplete(inMap);

    await page.goto(`${stage.demo.url}${tab}?vista=mural`);
    isComplete(await agree('wall', wallRows));
    await page.keyboard.press('Escape');
    await boardRows(page).first().waitFor();
  }
  assert.ok(cells > 8_000, `${cells} cells`);
});

/** The value by which rows are sorted. Undefined is last in both directions. */
function sortValue(field: string, ticker: string, quote: SentQuote | undefined) {
  if (field === 'especie') return ticker;
  if (field === 'hora' && quote !== undefined) return `${quote['fecha']} ${quote['hora'] ?? ''}`;
  return quote?.[field] ?? undefined;
}

/** Whether tickers are in an order, with those without a value at the end. */
function isSorted(
  tickers: readonly string[],
  field: string,
  isDescending: boolean,
  sent: ReadonlyMap<string, SentQuote>,
): boolean {
  const values = tickers.map((ticker) => sortValue(field, ticker, sent.get(ticker)));
  return values.slice(1).every((value, at) => {
    const before = values[at];
    if (before === undefined) return value === undefined;
    if (value === undefined) return true;
    const order =
      typeof value === 'number'
        ? Number(before) - value
        : String(before).localeCompare(value, 'es-AR', { numeric: true });
    return isDescending ? order >= 0 : order <= 0;
  });
}

test('every column sorts by the values of the service, with missing ones last', async (visit) => {
  const { page, open } = await visit(stage, undefined, { isNew: true });
  const sent = await holdQuotes(page);
  await open('', everyColumn);
  for (const [code, sorted] of [
    ['BONOS', ['especie', ...fields]],
    ['IND', ['ultimo', 'variacion', 'volumen', 'compra', 'apertura', 'hora']],
    ['CED', ['variacion', 'monto']],
  ] as const) {
    for (const field of sorted) {
      for (const minus of ['', '-']) {
        await page.goto(`${stage.demo.url}#/panel/${code}?orden=${minus}${field}`);
        await agrees(`${code} by ${minus}${field}`, async () => {
          const tickers = await tickersOn(page);
          const quotes = sent.of(`panel=${code}`);
          const isRight =
            tickers.length >= Math.max(1, quotes.size) &&
            isSorted(tickers, field, minus === '-', quotes);
          return isRight ? [] : [tickers.join()];
        });
      }
    }
  }
});

test('the page of an instrument and the search show the figures of the service', async (visit) => {
  const { page, open } = await visit(stage, undefined, { isNew: true });
  const sent = await holdQuotes(page);
  const unitOf = await readUnits();
  await open('');
  for (const ticker of ['GGAL', 'AL30', 'BTC', 'DOLAR MEP', 'RIESGO PAIS', 'MERVAL', 'AAPL']) {
    await page.goto(`${stage.demo.url}#/especie/${encodeURIComponent(ticker)}`);
    await agrees(ticker, async () => {
      const texts = await page.evaluate(() => {
        // test/web/dollars/ compares the figures of a certificate with /dolares.
        const shown = document.querySelectorAll('.figure:not(.receipt .figure)');
        const figures = [...shown].map((figure) => [
          figure.querySelector('dt')?.textContent ?? '',
          figure.querySelector('dd')?.textContent ?? '',
        ]);
        return {
          ...Object.fromEntries(figures),
          ultimo: document.querySelector('.quote-price')?.textContent ?? '?',
          variacion: document.querySelector('.quote-last .change')?.textContent ?? '?',
        } as Readonly<Record<string, string>>;
      });
      const { Monto: amount = '?', Compra: bid = '?', Venta: ask = '?', ...others } = texts;
      const named = Object.fromEntries([
        ...Object.entries(others).map(([name, text]) => [figureFields[name] ?? name, text]),
        ...orderOf(bid, 'compra', 'cantCompra'),
        ...orderOf(ask, 'venta', 'cantVenta'),
      ]);
      if (Object.keys(named).length < 11) return ['not all figures are shown'];
      const quotes = sent.of(`especie=${ticker}`);
      const isAmount = showsBriefly(amount, quotes.get(ticker)?.['monto']);
      return [
        ...differences([[ticker, named]], quotes, unitOf),
        ...(isAmount ? [] : [`${ticker} monto: ${amount}`]),
      ];
    });
  }
  await page.keyboard.press('Control+k');
  for (const text of ['banco', 'bono', 'dolar']) {
    await page.locator('.search-dialog [role="combobox"]').fill(text);
    await agrees(`the search for ${text}`, async () => {
      const rows = await page.locator('.search-dialog [role="option"]').evaluateAll((all) =>
        all.map((option): ShownRow => [
          option.querySelector('strong')?.textContent ?? '',
          {
            ultimo: option.querySelector('.search-quote span')?.textContent ?? '?',
            variacion: option.querySelector('.search-quote .change')?.textContent ?? '?',
          },
        ]),
      );
      const asked = rows.map(([ticker]) => ticker).join(',');
      return rows.length === 0
        ? ['no results']
        : differences(rows, sent.of(`especie=${asked}`), unitOf);
    });
  }
});

/** The price and the size of an order, `11.692,00 × 181`, by their fields. */
function orderOf(
  text: string,
  price: string,
  size: string,
): readonly (readonly [string, string])[] {
  const [before = '?', behind] = text.split(' × ');
  return behind === undefined
    ? [[price, before]]
    : [
        [price, before],
        [size, behind],
      ];
}

/** Whether a text is a large number with one decimal of its unit: `1130,1 M`. */
function showsBriefly(text: string, value: SentQuote[string]): boolean {
  if (typeof value !== 'number') return text === '–';
  const [, digits = '', sign = ''] = /^([\d.]+(?:,\d)?)(?:\s([kMB]))?$/.exec(text) ?? [];
  const unit = { '': 1, k: 1e3, M: 1e6, B: 1e12 }[sign] ?? Number.NaN;
  const shown = Number(digits.replaceAll('.', '').replace(',', '.'));
  return digits !== '' && Math.abs(shown - value / unit) <= 0.0501;
}

/** The fields of the figures of a page of an instrument, by their labels. */
const figureFields: Readonly<Record<string, string>> = {
  Anterior: 'anterior',
  Apertura: 'apertura',
  Mínimo: 'minimo',
  Máximo: 'maximo',
  Mes: 'varMTD',
  Año: 'varYTD',
  Volumen: 'volumen',
  TIR: 'tir',
  'Dur. mod.': 'durationModificada',
  Paridad: 'paridad',
};
