import assert from 'node:assert/strict';

import { leaders } from '../../support/market/default-panels.ts';
import { agrees } from '../browser/agrees.ts';
import { setStage } from '../browser/stage.ts';
import { boardRows, hasRows, test } from '../browser/visitor.ts';
import { holdQuotes } from '../figures/shown-figures.ts';

const stage = setStage();
const lists = { 'pizarra.lists': [{ name: 'Mesa', tickers: ['GGAL', 'BTC', 'AL30'] }] };

/** A number as in Argentina, and half a unit of its last place. */
function readNumber(text: string): { readonly value: number; readonly tolerance: number } {
  const decimals = text.split(',')[1]?.length ?? 0;
  const value = Number(text.replaceAll('.', '').replace(',', '.'));
  return { value, tolerance: 0.5001 * 10 ** -decimals };
}

test('one switch shows a panel in dollars, by the dollar that the page has, with dashes for what has none', async (visit) => {
  const { page, open } = await visit(stage);
  const sent = await holdQuotes(page);
  await open('#/panel/LID');
  await hasRows(page, leaders);
  await page.getByLabel('Moneda').selectOption('Dólar MEP');
  await page.waitForURL(/#\/panel\/LID\?moneda=mep$/);
  await page.getByText(/^Precios en pesos divididos por DOLAR MEP/).waitFor();
  const dollar = Number(sent.of('especie=DOLAR MEP').get('DOLAR MEP')?.['ultimo']);
  await agrees('the prices in dollars', async () => {
    const rows = await boardRows(page).evaluateAll((all) =>
      all.map((row) => ({
        ticker: row.querySelector('[data-ticker]')?.textContent ?? '',
        last: row.querySelector('.col-ultimo')?.textContent ?? '',
        high: row.querySelector('.col-maximo')?.textContent ?? '–',
      })),
    );
    return rows.flatMap(({ ticker, last, high }) => {
      const { value, tolerance } = readNumber(last);
      const exact = Number(sent.of('panel=LID').get(ticker)?.['ultimo']) / dollar;
      const isRight = Math.abs(value - exact) <= tolerance && high === '–';
      return isRight ? [] : [`${ticker} ${last} ${high}`];
    });
  });
  await page.getByRole('link', { name: 'General', exact: true }).click();
  await page.waitForURL(/#\/panel\/GEN\?moneda=mep$/);
});

test('a list remembers its currency, and what is in dollars already stays', async (visit) => {
  const { page } = await visit(stage, '#/lista/Mesa', {
    viewport: { width: 1920, height: 1000 },
    stored: lists,
  });
  await hasRows(page, 3);
  const priceOf = (ticker: string) =>
    boardRows(page).filter({ hasText: ticker }).locator('.col-ultimo').innerText();
  const before = { share: await priceOf('GGAL'), coin: await priceOf('BTC') };
  await page.getByLabel('Moneda').selectOption('Dólar CCL');
  await page.getByText(/^Precios en pesos divididos por DOLAR CCL/).waitFor();
  const isConverted = async () => {
    const [was, share] = [readNumber(before.share).value, readNumber(await priceOf('GGAL')).value];
    return share < was / 500;
  };
  await agrees('the price of GGAL', async () => ((await isConverted()) ? [] : ['in pesos']));
  const [coin, had] = [readNumber(await priceOf('BTC')).value, readNumber(before.coin).value];
  assert.ok(Math.abs(coin / had - 1) < 0.05);
  await page.getByRole('region', { name: 'Ficha de GGAL' }).getByText('USD CCL').first().waitFor();
  await page.reload();
  await agrees('the price of GGAL', async () => ((await isConverted()) ? [] : ['in pesos']));
  assert.equal(await page.getByLabel('Moneda').inputValue(), 'ccl');
});
