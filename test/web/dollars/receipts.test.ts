import assert from 'node:assert/strict';
import { suite } from 'node:test';

import type { PrecioDelDolar } from '../../../clients/typescript/src/contract.ts';
import { until } from '../../support/wait.ts';
import { setStage } from '../browser/stage.ts';
import { test, tickersOn } from '../browser/visitor.ts';
import { change, price, recordDollars } from './recorded-dollars.ts';

const stage = setStage();

function receiptsOf(rows: readonly PrecioDelDolar[]): ReadonlyMap<string, PrecioDelDolar> {
  const receipts = rows.filter(({ calculo }) => calculo === 'cedear');
  return new Map(receipts.map((row) => [row.base, row]));
}

suite('the dollars of CEDEARs on the board and on their pages', { concurrency: 2 }, () => {
  test('the board of CEDEARs shows and sorts the implied dollars of the service, and a dash says why there is none', async (visit) => {
    const { page, asked, open } = await visit(stage, undefined, { isNew: true });
    const sent = await recordDollars(page);
    await open('#/panel/CED?orden=-implicito');
    const { receipts, cells } = await until('every dollar of the service is shown', async () => {
      const rows = sent('?dolar=ccl');
      if (rows === undefined) return undefined;
      const shown = await page.locator('table.board tbody tr').evaluateAll((lines) =>
        lines.map((line): [string, { text: string; title: string }] => {
          const cell = line.querySelector('.col-implicito');
          const ticker = line.querySelector('[data-ticker]')?.getAttribute('data-ticker') ?? '';
          return [
            ticker,
            { text: cell?.textContent ?? '', title: cell?.getAttribute('title') ?? '' },
          ];
        }),
      );
      const texts = new Map(shown);
      const known = receiptsOf(rows);
      const isShown = known
        .values()
        .filter(({ base }) => texts.has(base))
        .every(({ base, ultimo }) => texts.get(base)?.text === price(ultimo));
      return texts.size > 100 && isShown ? { receipts: known, cells: texts } : undefined;
    });
    const listed = [...cells.keys()].filter((ticker) => receipts.has(ticker));
    assert.ok(listed.length > 50, `${listed.length} receipts with a dollar`);
    for (const [ticker, { text, title }] of cells) {
      const row = receipts.get(ticker);
      if (row === undefined) {
        assert.equal(text, '–', ticker);
        assert.match(title, /No es un certificado|no operó|Sin cotización/, ticker);
      } else assert.ok(title.endsWith(change(row.brecha)), `${ticker}: ${title}`);
    }
    await until('the dearest dollar is first', async () => {
      const values = (await tickersOn(page)).map((one) => receipts.get(one)?.ultimo ?? -Infinity);
      return values.every((value, at) => at === 0 || value <= (values[at - 1] ?? Infinity));
    });
    // The page computes nothing by itself: it requests no underlyings.
    assert.ok(asked.every((url) => !url.includes('_US')));
  });

  test('the page of a CEDEAR has its ratio, its underlying and its dollar beside the median', async (visit) => {
    const { page, open } = await visit(stage, undefined, { isNew: true });
    const sent = await recordDollars(page);
    await open('#/especie/AAPL');
    const receipt = page.locator('.receipt');
    await receipt.getByText('Todos los dólares').waitFor();
    await until('the median', () => sent('?base=CEDEARS') !== undefined);
    const own = receiptsOf(sent('?base=AAPL') ?? []).get('AAPL') ?? assert.fail('no dollar');
    const [median = assert.fail('no median')] = sent('?base=CEDEARS') ?? [];
    const wanted = {
      Ratio: '20:1',
      Subyacente: 'AAPL_US',
      'CCL implícito': price(own.ultimo),
      'Brecha con el mayorista': change(own.brecha),
      'Mediana de los CEDEARs': price(median.ultimo),
      'Diferencia con la mediana': change(
        ((own.ultimo ?? Number.NaN) / (median.ultimo ?? Number.NaN) - 1) * 100,
      ),
    };
    await until('the figures of the service', async () => {
      const shown = await receipt
        .locator('.figure')
        .evaluateAll((figures) =>
          figures.map((one) => [...one.children].map((part) => part.textContent ?? '')),
        );
      return JSON.stringify(shown) === JSON.stringify(Object.entries(wanted));
    });
    await receipt.getByRole('link', { name: 'AAPL_US' }).click();
    await page.getByRole('heading', { level: 1, name: 'AAPL_US' }).waitFor();
    // What is no receipt has no such figures.
    assert.equal(await page.locator('.receipt').count(), 0);
  });
});
