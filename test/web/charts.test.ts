import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';

import type { Page } from 'playwright-core';

import { buenosAiresDay } from '../../web/src/market/format/buenos-aires.ts';
import { formatDay, formatPrice } from '../../web/src/market/format/numbers.ts';
import { rangeStart } from '../../web/src/chart/series/range.ts';
import { until } from '../support/wait.ts';
import { checkAllColours } from './browser/check-accessibility.ts';
import {
  candleTicker,
  dailyTicker,
  daysSinceDividend,
  importData,
  lineTicker,
  oldTicker,
  push,
  sessionTicker,
} from './browser/imported-data.ts';
import { setStage } from './browser/stage.ts';
import { boardRows, test } from './browser/visitor.ts';

const stage = setStage(importData);

function segment(page: Page, group: string, name: string) {
  return page.getByRole('group', { name: group }).getByRole('button', { name, exact: true });
}

const values = (page: Page) => page.locator('.chart-values');

test('a chart draws candles with their range, and a line on request', async (visit) => {
  const { page } = await visit(stage, `#/especie/${candleTicker}`);
  await page.locator('.chart canvas').first().waitFor();
  await values(page)
    .getByText(/ap\. .* · máx\. .* · mín\. /)
    .waitFor();
  await segment(page, 'Dibujo', 'Línea').click();
  await page.reload();
  await page.locator('.chart canvas').first().waitFor();
  assert.equal(await segment(page, 'Dibujo', 'Línea').getAttribute('aria-pressed'), 'true');
});

test('a chart whose library cannot be loaded says so', async (visit) => {
  const { page, open } = await visit(stage);
  await page.route('**/price-chart-*.js', (route) => route.abort(), { times: 1 });
  await open(`#/especie/${candleTicker}`);
  await page.getByText('No se pudo cargar el gráfico.').waitFor();
});

test('an instrument with closes alone is drawn as a line, and the page says so', async (visit) => {
  const { page } = await visit(stage, `#/especie/${lineTicker}`);
  await page.getByText('se muestra una línea de cierres').waitFor();
  await segment(page, 'Dibujo', 'Línea').click();
  await page.getByText('se muestra una línea de cierres').waitFor({ state: 'detached' });
});

test('the adjustment changes the chart, its statistics and the download', async (visit) => {
  const { page } = await visit(stage, `#/especie/${candleTicker}?rango=max`);
  const change = page.locator('table.statistics').first().locator('tbody td').first();
  // The dividend does not change the adjustment for splits, and the split changes no percentage.
  await change
    .getByText(/^[+−]\d\d?,\d+/)
    .first()
    .waitFor();
  const bySplits = await change.innerText();
  await segment(page, 'Ajuste', 'Sin ajustar').click();
  await change
    .getByText(/^−8\d,\d+/)
    .first()
    .waitFor();
  await page.waitForURL(/ajuste=ninguno/);
  await segment(page, 'Ajuste', 'Total').click();
  await until('another change by the total adjustment', async () => {
    const total = await change.innerText();
    return /^[+−](?!8\d)\d?\d,\d+/.test(total) && total !== bySplits;
  });
  await page.getByRole('button', { name: 'Descargar', exact: true }).click();
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Descargar CSV' }).click(),
  ]);
  assert.equal(download.suggestedFilename(), `${candleTicker}-max-total.csv`);
  const [header, first = ''] = (await readFile(await download.path(), 'utf8')).split('\r\n');
  assert.equal(header, 'especie;fecha;apertura;maximo;minimo;ultimo;volumen');
  assert.ok(
    Number(first.split(';')[5]?.replace(',', '.')) < 1000,
    'the first close is in units of today',
  );

  await page.getByRole('button', { name: 'Qué es el ajuste' }).click();
  await page.getByText('Un split se ve como un salto.').waitFor();
  await page.keyboard.press('Escape');
  await page.getByText('Un split se ve como un salto.').waitFor({ state: 'hidden' });
});

test('a comparison ends on the newest day of any instrument, and its legend says what its table says', async (visit) => {
  const { page } = await visit(stage, `#/especie/${candleTicker}?rango=1a&comparar=${dailyTicker}`);
  const rows = page.locator('table.statistics tbody tr');
  await rows.nth(1).waitFor();
  const legend = page.locator('.chart-value');
  for (const [at, ticker] of [candleTicker, dailyTicker].entries()) {
    const change = await rows.nth(at).locator('td').first().locator('span').first().innerText();
    const text = await legend.nth(at).innerText();
    assert.match(text, new RegExp(`^${ticker} [\\d.,]+ ${at === 0 ? 'ARS' : 'USD'} `));
    assert.ok(text.endsWith(change), `${text}, but ${change}`);
  }
  await page.getByText('unidades distintas (ARS, USD)').waitFor();
  // ADA has a close of every day up to yesterday, weekends included.
  const note = await rows.nth(1).locator('td .figure-note').first().innerText();
  const lastDay = note.split(' – ')[1] ?? '';
  await page.locator('.chart-day').getByText(lastDay, { exact: true }).waitFor();
  // The canvas has no text, so the crosshair shows where the axis ends.
  const chart = page.getByRole('application');
  await page.mouse.move(0, 0);
  await chart.focus();
  await page.keyboard.press('ArrowLeft');
  await page.keyboard.press('PageDown');
  await page.locator('.chart-day').getByText(lastDay, { exact: true }).waitFor();
});

interface Prices {
  readonly fecha: string;
  readonly ultimo: number;
  readonly apertura: number;
  readonly maximo: number;
  readonly minimo: number;
}

/** The text of the line above the chart for a bar. */
function barText({ fecha, ultimo, apertura, maximo, minimo }: Prices): RegExp {
  const range = `ap. ${formatPrice(apertura)} · máx. ${formatPrice(maximo)} · mín. ${formatPrice(minimo)}`;
  return new RegExp(`^${formatDay(fecha)}\\s*${range}\\s*${formatPrice(ultimo)}`);
}

test('the last bar forms with the prices of the session, beside closes on its basis', async (visit) => {
  const { page } = await visit(stage, `#/especie/${sessionTicker}?rango=1m&ajuste=splits`);
  const closes = () =>
    stage.demo.get<readonly Prices[]>(
      `historicos?especie=${sessionTicker}&desde=1900-01-01&hasta=2999-12-31&ajuste=splits&campos=apertura,maximo,minimo`,
    );
  const before = (await closes()).at(-1);
  assert.ok(before !== undefined);
  await values(page)
    .filter({ hasText: barText(before) })
    .waitFor();
  // The split of today halves the closes when its session begins.
  for (const price of [235, 238, 234, 236]) await push(sessionTicker, price);
  const [quote] = await stage.demo.get<readonly Prices[]>(`cotizaciones?especie=${sessionTicker}`);
  assert.ok(quote !== undefined);
  assert.deepEqual(
    [quote.apertura, quote.maximo, quote.minimo, quote.ultimo],
    [235, 238, 234, 236],
  );
  await values(page)
    .filter({ hasText: barText(quote) })
    .waitFor();
  const stored = await closes();
  const last = stored.at(-1);
  assert.ok(last !== undefined && last.ultimo === before.ultimo / 2 && last.fecha < quote.fecha);
  // Closes on the new basis that arrive later would end the choice of a bar.
  const sessions = page.locator('table.statistics').first().locator('tbody td').last();
  const inRange = stored.filter(({ fecha }) => fecha >= rangeStart(quote.fecha, '1m'));
  await sessions.getByText(String(inRange.length + 1), { exact: true }).waitFor();
  const chart = page.getByRole('application');
  await page.mouse.move(0, 0);
  await chart.focus();
  for (const bar of [quote, last]) {
    await page.keyboard.press('ArrowLeft');
    await values(page)
      .filter({ hasText: barText(bar) })
      .waitFor();
  }
  await segment(page, 'Ajuste', 'Sin ajustar').click();
  await values(page)
    .filter({ hasText: barText(quote) })
    .waitFor();
});

/** Waits until the tag of the price on the axis is filled with a colour of the page. */
async function hasTag(page: Page, color: '--up' | '--down'): Promise<void> {
  await page.waitForFunction((name) => {
    const chart = document.querySelector('.chart-canvas');
    const brush = new OffscreenCanvas(1, 1).getContext('2d');
    if (chart === null || brush === null) return false;
    brush.fillStyle = getComputedStyle(chart).getPropertyValue(name);
    brush.fillRect(0, 0, 1, 1);
    const [wanted] = new Uint32Array(brush.getImageData(0, 0, 1, 1).data.buffer);
    const counts = [...chart.querySelectorAll<HTMLCanvasElement>('td:last-child canvas')]
      .flatMap((canvas) => canvas.getContext('2d')?.getImageData(0, 0, canvas.width, canvas.height))
      .map((image) => new Uint32Array(image?.data.buffer ?? new ArrayBuffer()))
      .map((pixels) => pixels.filter((pixel) => pixel === wanted).length);
    return counts.some((count) => count > 300);
  }, color);
}

test('the tag of the price has the colour of the change of the day', async (visit) => {
  const { page, open } = await visit(stage);
  // The session opens above the previous close, 233. The candle falls, and the day rises.
  for (const price of [235, 234]) await push(sessionTicker, price);
  await open(`#/especie/${sessionTicker}?rango=1m`);
  await values(page).locator('.chart-value.up', { hasText: '234,00' }).waitFor();
  await hasTag(page, '--up');
  await push(sessionTicker, 231);
  await values(page).locator('.chart-value.down', { hasText: '231,00' }).waitFor();
  await hasTag(page, '--down');
});

test('the stored close replaces the bar of its session', async (visit) => {
  const { page, open } = await visit(stage, undefined, { isNew: true });
  await push(sessionTicker, 236.5);
  const [quote] = await stage.demo.get<readonly Prices[]>(`cotizaciones?especie=${sessionTicker}`);
  assert.ok(quote !== undefined);
  const close = { ...quote, ultimo: 237.25, volumen: 10, especie: sessionTicker };
  await page.clock.install();
  let isStored = false;
  await page.route('**/historicos?*', async (route) => {
    const response = await route.fetch();
    const rows = (await response.json()) as readonly unknown[];
    await route.fulfill({ response, json: isStored ? [...rows, close] : rows });
  });
  await page.route('**/healthz', async (route) => {
    const response = await route.fetch();
    const health = (await response.json()) as { readonly mercados: readonly object[] };
    const mercados = health.mercados.map((market) => ({ ...market, estado: 'cerrado' }));
    await route.fulfill({ response, json: { ...health, mercados } });
  });
  await open(`#/especie/${sessionTicker}?rango=1m`);
  await values(page)
    .filter({ hasText: barText(quote) })
    .waitFor();
  isStored = true;
  await page.clock.fastForward(65_000);
  await values(page)
    .filter({ hasText: barText(close) })
    .waitFor();
  const chart = page.getByRole('application');
  await page.mouse.move(0, 0);
  await chart.focus();
  await page.keyboard.press('ArrowLeft');
  await values(page)
    .filter({ hasText: barText(close) })
    .waitFor();
  await page.keyboard.press('ArrowLeft');
  await values(page)
    .filter({ hasNotText: formatDay(close.fecha) })
    .waitFor();
});

test('a range is of the calendar, also where a series has no closes', async (visit) => {
  const { page, open } = await visit(stage);
  /** The day under the pointer at the left edge. */
  const firstDay = async () => {
    const box = await page.locator('.chart-canvas').boundingBox();
    assert.ok(box !== null);
    await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2);
    await page.mouse.move(box.x + box.width * 0.005, box.y + box.height / 2);
    return (await page.locator('.chart-day').innerText()).split('/').toReversed().join('-');
  };
  for (const [ticker, range, text] of [
    [lineTicker, '5a', /^AGRO tiene datos desde el \d\d\/\d\d\/\d{4}\.$/],
    [oldTicker, '3a', /^GGAL no tiene ruedas en este rango. La última es del 04\/03\/2022\.$/],
  ] as const) {
    await open(`#/especie/${ticker}?rango=${range}`);
    await page.locator('.chart canvas').first().waitFor();
    const above = await page.getByText(text).boundingBox();
    const chart = await page.locator('.chart').boundingBox();
    assert.ok(
      above !== null && chart !== null && above.y < chart.y,
      `${ticker}: seen with the chart`,
    );
    const from = rangeStart(buenosAiresDay(Date.now()), range);
    // The line above the chart follows the pointer a moment later.
    await until(`${ticker} begins on ${from}`, async () => {
      const first = await firstDay();
      return first >= from && Date.parse(first) - Date.parse(from) < 20 * 86_400_000;
    });
  }
});

test('corporate actions are listed, and named at their bars', async (visit, t) => {
  // Reduced motion disables transitions, whose colours are not permanent.
  const { page } = await visit(stage, `#/especie/${candleTicker}`, { reducedMotion: 'reduce' });
  const rows = page.getByRole('region', { name: 'Eventos' }).locator('tbody tr');
  await rows.nth(1).waitFor();
  const texts = await rows.allInnerTexts();
  assert.match(texts[0] ?? '', /D\s+Dividendo\s+25,00 ARS/);
  assert.match(texts[1] ?? '', /S\s+Split\s+10 por 1/);
  const chart = page.getByRole('application');
  await page.locator('.chart canvas').first().waitFor();
  // The crosshair starts at the pointer, which is where the dialog of the key was.
  await page.mouse.move(0, 0);
  await chart.focus();
  // The mark is on the session of the ex date or, if that is a holiday, on the one that follows.
  const named = values(page).getByText(/^Dividendo 25,00 ARS \(\d\d\/\d\d\/\d{4}\)$/);
  await page.keyboard.press('ArrowLeft');
  await page.locator('.chart-values[aria-live="polite"]').waitFor();
  for (let step = 0; step < daysSinceDividend && !(await named.isVisible()); step += 1) {
    const before = await page.locator('.chart-day').innerText();
    await page.keyboard.press('ArrowLeft');
    // The line above the chart follows the key a moment later.
    await page.waitForFunction(
      (day) => document.querySelector<HTMLElement>('.chart-day')?.innerText !== day,
      before,
    );
  }
  await named.waitFor();
  await page.getByRole('button', { name: 'Qué es el ajuste' }).click();
  await checkAllColours(t, page, 'a chart with corporate actions');
});

test('a ticker in another spelling shows its quote and intraday bars, in the address of its own spelling', async (visit) => {
  const { page, open } = await visit(stage);
  await push('BTC', 90_500);
  await open('#/especie/btc?rango=1d');
  await page.getByRole('heading', { name: 'BTC', level: 1, exact: true }).waitFor();
  await values(page).getByText('90.500,00').last().waitFor();
  await page.waitForURL(/#\/especie\/BTC\?rango=1d$/);
  await push('BTC', 90_600);
  await values(page).locator('.chart-value', { hasText: '90.600,00' }).waitFor();
  await page.locator('.quote-price', { hasText: '90.600,00' }).waitFor();
});

test('the page of an unknown ticker suggests near ones, and has no tools of a chart', async (visit) => {
  const { page, open } = await visit(stage, '#/especie/BIHP');
  await page.getByText('La especie «BIHP» no existe.').waitFor();
  assert.equal(await page.getByRole('group', { name: 'Rango' }).count(), 0);
  assert.equal(await page.getByRole('link', { name: 'Crear alerta' }).count(), 0);
  await page.getByRole('link', { name: candleTicker, exact: true }).click();
  await page.locator('.chart canvas').first().waitFor();
  await open('#/especie/NOEXISTE');
  await page.getByText('La especie «NOEXISTE» no existe.').waitFor();
  assert.equal(await page.getByText('Especies parecidas').count(), 0);
});

test('an address that leads nowhere says so, and leads to the board', async (visit) => {
  const { page, open } = await visit(stage);
  for (const address of ['#/nada', '#/panel/NADA']) {
    await open(address);
    await page.getByRole('heading', { name: 'Esta página no existe' }).waitFor();
    await page.getByRole('link', { name: 'Ir a la pizarra' }).click();
    await boardRows(page).first().waitFor();
  }
});

test('an instrument without intraday prices says so', async (visit) => {
  const { page } = await visit(stage, `#/especie/${candleTicker}?rango=5d`);
  await page.getByText('No hay precios intradiarios de esta especie.').waitFor();
  await page.getByRole('button', { name: '1m', exact: true }).click();
  await page.locator('.chart canvas').first().waitFor();
});

test('the path of the session in a row of the board follows the price', async (visit) => {
  const { page, open } = await visit(stage);
  await push('ETH', 3_000);
  await open('#/lista/Cripto', {
    'pizarra.lists': [{ name: 'Cripto', tickers: ['ETH'] }],
  });
  const path = boardRows(page).getByRole('img');
  await path.and(page.getByLabel(/ a 3\.000,00$/)).waitFor();
  await push('ETH', 3_010);
  await path.and(page.getByLabel(/ a 3\.010,00$/)).waitFor();
});

test('a chart opens with the range that was chosen last, and its address then names it', async (visit) => {
  const { page } = await visit(stage, `#/especie/${candleTicker}`);
  const chosen = page.locator('.ranges [aria-pressed="true"]');
  assert.equal(await chosen.textContent(), '1a');
  await page.getByRole('button', { name: '3m' }).click();
  await page.waitForURL(/\?rango=3m$/);
  await page.goto(`${stage.demo.url}#/especie/${dailyTicker}`);
  await page.locator('.quote-title').getByText(dailyTicker).waitFor();
  assert.equal(await chosen.textContent(), '3m');
  assert.match(page.url(), new RegExp(`/${dailyTicker}$`));
});

test('indicators have parts of their own below the price, and values in the legend', async (visit, t) => {
  const { page } = await visit(stage, `#/especie/${candleTicker}`, { reducedMotion: 'reduce' });
  const canvas = page.locator('.chart-canvas');
  const height = async () => (await canvas.boundingBox())?.height ?? 0;
  const before = await height();
  await page.getByRole('button', { name: 'Indicadores' }).click();
  for (const name of [/^Bandas de Bollinger/, /^RSI/, /^MACD/]) await page.getByLabel(name).check();
  await page.waitForURL(/indicadores=bollinger%2Crsi%2Cmacd$/);
  await checkAllColours(t, page, 'a chart with indicators');
  await page.keyboard.press('Escape');
  const legend = await page.locator('.chart-overlay').allInnerTexts();
  assert.deepEqual(
    legend.map((text) => text.replace(/ −?[\d.]+,\d+$/, '')),
    ['Bollinger 20, +2', 'Bollinger 20, −2', 'RSI 14', 'Histograma', 'MACD 12, 26', 'Señal 9'],
  );
  assert.ok((await height()) > before + 200);
});

test('a level is drawn with a click or a key, and becomes an alert', async (visit) => {
  const { page } = await visit(stage, `#/especie/${candleTicker}`, { isNew: true });
  const mark = page.getByRole('button', { name: 'Marcar nivel' });
  const levels = page.getByRole('group', { name: 'Niveles del gráfico' });
  await mark.click();
  await page.locator('.chart-canvas').click({ position: { x: 300, y: 60 } });
  await levels.getByRole('button', { name: 'Crear una alerta' }).waitFor();
  assert.equal(await mark.getAttribute('aria-pressed'), 'false');
  await mark.click();
  await page.locator('.chart-canvas').press('Enter');
  const close = await page.locator('.chart-value').innerText();
  await levels.getByRole('button', { name: `Quitar el nivel ${close}` }).waitFor();
  await page.reload();
  await levels.getByRole('button', { name: `Crear una alerta en ${close}` }).click();
  await levels.getByText(`Alerta creada: ${candleTicker} sube hasta ${close}.`).waitFor();
  assert.equal(await levels.locator('.chip').count(), 1);
  await levels.getByRole('button', { name: 'Quitar el nivel' }).click();
  await page.goto(`${stage.demo.url}#/alertas`);
  await page.getByText(`${candleTicker} sube hasta ${close}`).waitFor();
});

test('a phone begins with a line in place of candles', async (visit) => {
  const viewport = { width: 390, height: 844 };
  const visitor = await visit(stage, `#/especie/${candleTicker}`, { viewport, isNew: true });
  await visitor.page.getByRole('button', { name: 'Herramientas' }).click();
  const chosen = visitor.page
    .getByRole('group', { name: 'Dibujo' })
    .locator('[aria-pressed="true"]');
  assert.equal(await chosen.textContent(), 'Línea');
});
