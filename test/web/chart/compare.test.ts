import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';

import type { Page } from 'playwright-core';

import { until } from '../../support/wait.ts';
import { buenosAiresDay } from '../../../web/src/market/format/buenos-aires.ts';
import { formatChange, formatDay, formatPrice } from '../../../web/src/market/format/numbers.ts';
import { rangeStart } from '../../../web/src/chart/series/range.ts';
import { checkAllColours } from '../browser/check-accessibility.ts';
import {
  bondTickers,
  candleTicker,
  dollarBondTicker,
  importData,
  oldTicker,
  push,
} from '../browser/imported-data.ts';
import { setStage, type Stage } from '../browser/stage.ts';
import { test } from '../browser/visitor.ts';

const stage = setStage(importData);
const live = setStage();
const [bond, otherBond] = bondTickers;
/** The first day of the range of the charts. A test may run over midnight. */
const rangeFrom = () => rangeStart(buenosAiresDay(Date.now()), '3m');

/** A row of the API. */
interface Row {
  readonly especie: string;
  readonly fecha: string;
  readonly hora: string;
  readonly ultimo: number;
  readonly maximo: number;
  readonly minimo: number;
  readonly volumen: number | null;
}

/** The stored closes of an instrument, by day. */
async function closesOf(
  service: Stage,
  ticker: string,
  adjustment = 'splits',
): Promise<ReadonlyMap<string, number>> {
  const params = new URLSearchParams({
    especie: ticker,
    desde: '1900-01-01',
    hasta: '2999-12-31',
    ajuste: adjustment,
  });
  const rows = await service.demo.get<readonly Row[]>(`historicos?${params}`);
  assert.ok(rows.length > 100, `${ticker} has ${rows.length} closes`);
  return new Map(rows.map(({ fecha, ultimo }) => [fecha, ultimo]));
}

/** The values of the chart as the page tables them: a row for each time, the latest first. */
async function tableOf(page: Page): Promise<readonly (readonly string[])[]> {
  const details = page.locator('details.values');
  await details.waitFor();
  await page.evaluate(() => document.querySelector('details.values')?.setAttribute('open', ''));
  const frame = page.getByRole('region', { name: 'Valores', exact: true });
  await frame.locator('tbody tr').first().waitFor();
  return page.evaluate(() =>
    [...document.querySelectorAll('.values-frame tr')].map((row) =>
      [...row.children].map(({ textContent }) => textContent),
    ),
  );
}

/** The number of a text in the form of Argentina. NaN for a text that is no number. */
function numberOf(text: string): number {
  return Number(
    text
      .replace(/\u00a0%$/, '')
      .replaceAll('.', '')
      .replace(',', '.')
      .replace('−', '-'),
  );
}

/** Checks a table. A number that is computed in another order may round to the other side. */
function isSame(
  shown: readonly (readonly string[])[],
  wanted: readonly (readonly string[])[],
): void {
  const near = wanted.map((row, at) =>
    row.map((text, column) => {
      const other = shown[at]?.[column] ?? '';
      const [one, two] = [numberOf(text), numberOf(other)];
      return Math.abs(one - two) <= 0.010_001 && Math.abs(one - two) <= 0.01 * Math.abs(one)
        ? other
        : text;
    }),
  );
  assert.deepEqual(shown, near);
}

/** The address of an instrument with a range of three months. */
const place = (ticker: string, query = '') => `#/especie/${ticker}?rango=3m${query}`;

const days = (closes: ReadonlyMap<string, unknown>) =>
  [...closes.keys()].filter((day) => day >= rangeFrom()).toReversed();

test('closes in dollars are those of the API, divided by the dollar of their day', async (visit) => {
  const { page } = await visit(stage, place(candleTicker));
  await page.locator('.chart canvas').first().waitFor();
  await page.getByLabel('Moneda').selectOption('Dólar MEP');
  await page.locator('.chart-values').getByText('USD MEP').waitFor();
  await page.waitForURL(/moneda=mep/);
  // The split of the instrument is adjusted before its prices are converted.
  const own = await closesOf(stage, candleTicker);
  const dollars = await closesOf(stage, 'DOLAR MEP');
  const wanted = days(own).flatMap((day) => {
    const dollar = dollars.get(day);
    return dollar === undefined
      ? []
      : [[formatDay(day), formatPrice((own.get(day) ?? 0) / dollar)]];
  });
  const [head, ...rows] = await tableOf(page);
  assert.deepEqual(head, ['Fecha', `${candleTicker} (USD MEP)`]);
  assert.deepEqual(rows, wanted);
  const missing = days(own).length - wanted.length;
  assert.ok(missing > 1);
  await page
    .getByText(`${candleTicker}, sin dólar MEP: ${missing} días, que no se muestran.`)
    .waitFor();
  const statistics = page.locator('table.statistics').first();
  assert.match(await statistics.locator('tbody th').innerText(), /USD MEP/);
  assert.equal(await statistics.locator('tbody td').last().innerText(), String(wanted.length));
  await page.reload();
  await page.locator('.chart-values').getByText('USD MEP').waitFor();
});

test('the download of prices in dollars has the conversion and the divisor', async (visit) => {
  const { page } = await visit(stage, place(bond, '&moneda=ccl'));
  await page.locator('.chart canvas').first().waitFor();
  await page.locator('.chart-values').getByText('USD CCL').waitFor();
  await page.getByRole('button', { name: 'Descargar', exact: true }).click();
  await page.getByText('divididos por DOLAR CCL. La columna «dolar» tiene el divisor.').waitFor();
  await page.getByLabel('Punto decimal').check();
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Descargar CSV' }).click(),
  ]);
  assert.equal(download.suggestedFilename(), `${bond}-ccl-3m-splits.csv`);
  const [head, first = ''] = (await readFile(await download.path(), 'utf8')).split('\r\n');
  assert.equal(head, 'especie,fecha,ultimo,volumen,conversion,dolar');
  const [especie, day = '', close, , conversion, dollar] = first.split(',');
  const closes = await closesOf(stage, bond);
  assert.deepEqual([especie, conversion], [bond, 'DOLAR CCL']);
  assert.equal(Number(dollar), (await closesOf(stage, 'DOLAR CCL')).get(day));
  assert.equal(Number(close), (closes.get(day) ?? 0) / Number(dollar));
});

test('what is in dollars, or is no money, is not converted, and the page says so', async (visit) => {
  const { page } = await visit(stage, place(bond, `&comparar=${dollarBondTicker}&moneda=ccl`));
  await page.locator('.chart canvas').first().waitFor();
  await page.getByText(`${dollarBondTicker} ya está en dólares: no se convierte.`).waitFor();
  const [head, ...rows] = await tableOf(page);
  assert.deepEqual(head?.slice(1), [
    `${bond} (USD CCL)`,
    `${bond}, variación`,
    `${dollarBondTicker} (USD)`,
    `${dollarBondTicker}, variación`,
  ]);
  const [own, dollars, other] = await Promise.all(
    [bond, 'DOLAR CCL', dollarBondTicker].map((ticker) => closesOf(stage, ticker)),
  );
  assert.ok(own !== undefined && dollars !== undefined && other !== undefined);
  const wanted = days(own).map((day): readonly [string, number, number] => [
    formatDay(day),
    (own.get(day) ?? 0) / (dollars.get(day) ?? 0),
    other.get(day) ?? 0,
  ]);
  const [, base, otherBase] = wanted.at(-1) ?? assert.fail('no rows');
  isSame(
    rows,
    wanted.map(([day, price, otherPrice]) => [
      day,
      formatPrice(price),
      formatChange((price / base - 1) * 100, 'percent'),
      formatPrice(otherPrice),
      formatChange((otherPrice / otherBase - 1) * 100, 'percent'),
    ]),
  );
});

test('a quotient has a value where both bonds have a close, and can be inverted', async (visit) => {
  const { page } = await visit(stage, place(bond, `&comparar=${otherBond}`));
  await page.locator('.chart canvas').first().waitFor();
  await page
    .getByRole('group', { name: 'Comparación' })
    .getByRole('button', { name: 'Cociente' })
    .click();
  const [own, other] = [await closesOf(stage, bond), await closesOf(stage, otherBond)];
  const common = days(own).filter((day) => other.has(day));
  assert.ok(common.length < days(own).length);
  const quotients = (first: typeof own, second: typeof own) =>
    common.map((day) => [
      formatDay(day),
      formatPrice((first.get(day) ?? 0) / (second.get(day) ?? 0)),
    ]);
  await page.getByRole('application', { name: new RegExp(`${bond}/${otherBond}`) }).waitFor();
  await page.locator('.chart-values').getByText(`${bond}/${otherBond}`).waitFor();
  const [head, ...rows] = await tableOf(page);
  assert.deepEqual(head, ['Fecha', `${bond}/${otherBond}`]);
  assert.deepEqual(rows, quotients(own, other));
  await page.getByRole('button', { name: `Invertir: ${otherBond} con ${bond}` }).click();
  await page.getByRole('heading', { name: otherBond, level: 1, exact: true }).waitFor();
  await page.getByRole('application', { name: new RegExp(`${otherBond}/${bond}`) }).waitFor();
  const [, ...inverted] = await tableOf(page);
  assert.deepEqual(inverted, quotients(other, own));
  await page.goBack();
  await page.getByRole('heading', { name: bond, level: 1, exact: true }).waitFor();
  await page.waitForURL(new RegExp(`comparar=${otherBond}&modo=cociente$`));
});

test('a pair in two currencies is refused until a dollar is chosen', async (visit) => {
  const { page, open } = await visit(
    stage,
    `#/especie/${bond}?rango=3m&comparar=${dollarBondTicker}&modo=cociente`,
  );
  await page
    .getByText(
      'AL30 está en ARS y AL30D en USD. Para ver el cociente, elegir un dólar en «Moneda».',
    )
    .waitFor();
  await page.getByLabel('Moneda').selectOption('Dólar CCL');
  const [head, ...rows] = await tableOf(page);
  assert.deepEqual(head, ['Fecha', `${bond}/${dollarBondTicker}`]);
  const [own, dollars, other] = await Promise.all(
    [bond, 'DOLAR CCL', dollarBondTicker].map((ticker) => closesOf(stage, ticker)),
  );
  assert.ok(own !== undefined && dollars !== undefined && other !== undefined);
  isSame(
    rows,
    days(own).map((day) => [
      formatDay(day),
      formatPrice((own.get(day) ?? 0) / (dollars.get(day) ?? 0) / (other.get(day) ?? 0)),
    ]),
  );
  // The closes of GGAL are of 2022, when the bond has none.
  await open(`#/especie/${oldTicker}?comparar=${bond}&modo=cociente`);
  await page.getByText('No hay ruedas en las que ambas especies tengan un precio.').waitFor();
});

test('averages are of the whole series, and are added and removed with the keyboard', async (visit, t) => {
  const { page } = await visit(stage, place(bond, '&promedios=exponencial-50'), {
    reducedMotion: 'reduce',
  });
  await page.locator('.chart canvas').first().waitFor();
  await page.getByRole('button', { name: 'Indicadores (1)' }).focus();
  await page.keyboard.press('Enter');
  const choice = page.getByRole('group', { name: 'Indicadores', exact: true });
  await choice.getByLabel('Períodos', { exact: true }).fill('1');
  await page.keyboard.press('Enter');
  await choice.getByText('Los períodos son un número entero de 2 a 400.').waitFor();
  await choice.getByLabel('Períodos', { exact: true }).fill('20');
  await page.keyboard.press('Enter');
  await page.getByRole('button', { name: 'Indicadores (2)' }).waitFor();
  await page.waitForURL(({ href }) =>
    decodeURIComponent(href).endsWith('=exponencial-50,simple-20'),
  );
  await checkAllColours(t, page, 'a chart with averages and their choice');
  const closes = await closesOf(stage, bond);
  const values = [...closes.values()];
  const wanted = [...closes.keys()].map((day, at) => {
    const window = values.slice(at - 19, at + 1);
    const exponential = values
      .slice(0, at + 1)
      .reduce((average, one) => average * (49 / 51) + one * (2 / 51));
    const simple = window.reduce((sum, one) => sum + one, 0) / 20;
    return [
      day,
      formatDay(day),
      ...[values[at], exponential, simple].map((one) => formatPrice(one)),
    ];
  });
  const [head, ...rows] = await tableOf(page);
  assert.deepEqual(head, ['Fecha', `${bond} (ARS)`, 'EMA 50', 'SMA 20']);
  isSame(
    rows,
    wanted
      .filter(([day = '']) => day >= rangeFrom())
      .toReversed()
      .map((row) => row.slice(1)),
  );
  const overlays = page.locator('.chart-overlay');
  const [, ...last] = rows[0] ?? [];
  assert.deepEqual(await overlays.allInnerTexts(), [`EMA 50 ${last[1]}`, `SMA 20 ${last[2]}`]);
  await choice.getByRole('button', { name: 'Quitar EMA 50' }).focus();
  await page.keyboard.press('Enter');
  await page.getByRole('button', { name: 'Indicadores (1)' }).waitFor();
  await page.waitForURL(/promedios=simple-20$/);
});

/** Compares a table with values of the API until both are of the same price, because prices change. */
async function agree(page: Page, wanted: () => Promise<readonly (readonly string[])[]>) {
  let [shown, expected] = [await tableOf(page), await wanted()];
  const isSameNow = async (): Promise<boolean> => {
    expected = await wanted();
    shown = (await tableOf(page)).slice(1);
    return JSON.stringify(shown) === JSON.stringify(expected);
  };
  await until('the table of the same prices', isSameNow).catch(() => {
    assert.deepEqual(shown, expected);
  });
}

test('the session in progress is divided by the dollar of the same session', async (visit) => {
  const { page } = await visit(live, '#/especie/GGAL?rango=1m&moneda=oficial');
  await page.getByText('de DOLAR OFICIAL, el minorista del Banco Nación.').waitFor();
  await agree(page, async () => {
    const [own, dollars, quotes] = await Promise.all([
      closesOf(live, 'GGAL'),
      closesOf(live, 'DOLAR OFICIAL'),
      live.demo.get<readonly Row[]>('cotizaciones?especie=GGAL,DOLAR+OFICIAL'),
    ]);
    const [quote, dollar] = quotes;
    assert.ok(quote !== undefined && dollar !== undefined && quote.fecha === dollar.fecha);
    const start = rangeStart(buenosAiresDay(Date.now()), '1m');
    const stored = [...own].filter(([day]) => day >= start && day < quote.fecha);
    return [
      ...stored.map(([day, close]) => [
        formatDay(day),
        formatPrice(close / (dollars.get(day) ?? 0)),
      ]),
      [formatDay(quote.fecha), formatPrice(quote.ultimo / dollar.ultimo)],
    ].toReversed();
  });
});

test('the weighted price of a day in dollars is that of the bars of the API', async (visit) => {
  const { page } = await visit(live, '#/especie/AL30?rango=1d&moneda=mep');
  await page.locator('.chart-values').getByText('USD MEP').waitFor();
  await page.getByRole('button', { name: 'Indicadores', exact: true }).click();
  await page.getByLabel('Precio promedio ponderado por volumen (VWAP)').check();
  await page.keyboard.press('Escape');
  await page.locator('.chart-overlay', { hasText: /^VWAP [\d.]+,\d+$/ }).waitFor();
  await page.waitForURL(/vwap=si$/);
  await agree(page, async () => {
    const [own, dollars] = await Promise.all([
      live.demo.get<readonly Row[]>('intradiarios?especie=AL30&intervalo=1m'),
      live.demo.get<readonly Row[]>('intradiarios?especie=DOLAR+MEP&intervalo=1m'),
    ]);
    let [amount, volume] = [0, 0];
    const rows = own.flatMap((bar) => {
      const dollar = dollars.findLast(({ hora }) => hora <= bar.hora)?.ultimo;
      if (dollar === undefined) return [];
      amount += (((bar.maximo + bar.minimo + bar.ultimo) / 3) * (bar.volumen ?? 0)) / dollar;
      volume += bar.volumen ?? 0;
      const time = `${formatDay(bar.fecha)} ${bar.hora.slice(0, 5)}`;
      const weighted = formatPrice(volume === 0 ? undefined : amount / volume);
      return [[time, formatPrice(bar.ultimo / dollar), weighted]];
    });
    return rows.slice(-250).toReversed();
  });
  await page.getByRole('group', { name: 'Rango' }).getByRole('button', { name: '5d' }).click();
  await page.locator('.chart-overlay').waitFor({ state: 'detached' });
});

test('the exact price of a session is its amount divided by its volume', async (visit) => {
  const { page, open } = await visit(stage);
  await push('BNB', 800, { volume: 10, amount: 8000 });
  await push('BNB', 900, { volume: 25, amount: 20_750 });
  await open('#/especie/BNB?rango=1d&vwap=si');
  const exact = page.getByText(/^Precio promedio de la rueda según su monto y su volumen: /);
  await exact.getByText('830,00 USD.').waitFor();
  // An amount in thousands is no mean of the prices between 800 and 900.
  await push('BNB', 900, { volume: 26, amount: 22 });
  await exact.waitFor({ state: 'detached' });
});

test('a comparison in dollars with its table fits a phone, and is accessible there', async (visit, t) => {
  const hash = place(bond, `&comparar=${otherBond},${dollarBondTicker}&moneda=mep&modo=cociente`);
  const viewport = { width: 360, height: 780 };
  const { page } = await visit(stage, hash, { viewport, reducedMotion: 'reduce' });
  await page.locator('.chart canvas').first().waitFor();
  await page.locator('.chart-value-3', { hasText: `${bond}/${dollarBondTicker}` }).waitFor();
  await tableOf(page);
  const width = await page.evaluate(() => document.documentElement.scrollWidth);
  assert.equal(width, 360);
  await checkAllColours(t, page, 'two quotients in dollars, with their table');
});
