import assert from 'node:assert/strict';
import { suite, test } from 'node:test';

import type { Page } from 'playwright-core';

import type { CifrasDeBono } from '../../../clients/typescript/src/contract.ts';
import { until } from '../../support/wait.ts';
import { percent, twoDecimals } from '../browser/spanish-number.ts';
import { options, setStage } from '../browser/stage.ts';
import { boardRows, open, tickersOn, visit } from '../browser/visitor.ts';

const stage = setStage();

/** Records the latest figures that the service sent to a page. */
async function recordBonds(page: Page): Promise<() => readonly CifrasDeBono[]> {
  let latest: readonly CifrasDeBono[] = [];
  await page.route('**/bonos?*', async (route) => {
    const response = await route.fetch();
    latest = (await response.json()) as readonly CifrasDeBono[];
    await route.fulfill({ response });
  });
  return () => latest;
}

/** The text and the title of a cell. */
async function cellOf(page: Page, ticker: string, field: string) {
  const cell = page
    .locator('tr', { has: page.locator(`[data-ticker="${ticker}"]`) })
    .locator(`.col-${field}`);
  return { text: await cell.innerText(), title: (await cell.getAttribute('title')) ?? '' };
}

suite('the figures of bonds on the board', { concurrency: 2 }, () => {
  test(
    'yield, duration, parity and maturity are those of /bonos, and a dash says why a figure is missing',
    options,
    async () => {
      await using visitor = await visit(stage.browser, {}, { isNew: true });
      const { page, faults } = visitor;
      const sent = await recordBonds(page);
      await open(visitor, stage, '#/panel/BONOS');
      const title = page.getByRole('button', { name: 'TIR', exact: true });
      const meaning = 'TIR anual, convención Pizarra (liquidación 24hs, dólar MEP)';
      await title.and(page.locator(`[title^="${meaning}"]`)).waitFor();
      await until('the figures of the last response', async () => {
        for (const ticker of ['AL30', 'GD35D', 'TX28']) {
          const bond = sent().find(({ especie }) => especie === ticker);
          if (bond === undefined) return false;
          const { tir, durationModificada, paridad, vencimiento } = bond;
          const texts: Readonly<Record<string, string>> = {
            vencimiento: vencimiento.split('-').toReversed().join('/'),
            tir: percent(tir),
            durationModificada: durationModificada === null ? '–' : twoDecimals(durationModificada),
            paridad: percent(paridad),
          };
          for (const [field, wanted] of Object.entries(texts)) {
            // oxlint-disable-next-line no-await-in-loop
            if ((await cellOf(page, ticker, field)).text !== wanted) return false;
          }
        }
        return true;
      });
      const al30 = sent().find(({ especie }) => especie === 'AL30');
      assert.equal(al30?.estado, 'ok');
      assert.equal(al30.vencimiento, '2030-07-09');
      const { text, title: reason } = await cellOf(page, 'PAP0', 'tir');
      assert.equal(text, '–');
      assert.equal(reason, 'No es un bono, o faltan sus condiciones de emisión');
      assert.deepEqual(faults, []);
    },
  );

  test(
    'a board is sorted by the yield from its address, and other boards request no /bonos',
    options,
    async () => {
      await using visitor = await visit(stage.browser, {}, { isNew: true });
      const { page, asked, faults } = visitor;
      const sent = await recordBonds(page);
      const bondRequests = () => asked.filter((url) => url.includes('/bonos'));
      await open(visitor, stage, '#/panel/LID');
      await boardRows(page).first().getByRole('img').waitFor();
      await page.goto(`${stage.demo.url}#/panel/CED`);
      await boardRows(page).first().getByRole('img').waitFor();
      assert.deepEqual(bondRequests(), []);
      await page.goto(`${stage.demo.url}#/panel/BONOS?orden=-tir`);
      await until('the highest yields first', async () => {
        const yields = new Map(sent().map(({ especie, tir }) => [especie, tir]));
        const shown = await tickersOn(page);
        const known = shown.map((ticker) => yields.get(ticker) ?? -Infinity);
        return known.length > 0 && known.every((one, at) => one <= (known[at - 1] ?? Infinity));
      });
      assert.equal(bondRequests().length > 0, true);
      assert.ok(bondRequests().every((url) => url.endsWith('/bonos?panel=BONOS')));
      assert.deepEqual(faults, []);
    },
  );

  test(
    'the figures are requested again with their ETag while the board is shown, and no longer after it is left',
    options,
    async () => {
      await using visitor = await visit(stage.browser, {}, { isNew: true });
      const { page, faults } = visitor;
      const client = await page.context().newCDPSession(page);
      await client.send('Network.enable');
      // The two events of a request come in any order.
      const requests = new Set<string>();
      const tags = new Map<string, string>();
      client.on('Network.requestWillBeSent', ({ requestId, request }) => {
        if (request.url.includes('/bonos?')) requests.add(requestId);
      });
      client.on('Network.requestWillBeSentExtraInfo', ({ requestId, headers }) => {
        tags.set(requestId, headers['If-None-Match'] ?? headers['if-none-match'] ?? '');
      });
      const sentTags = () => [...requests].flatMap((id) => tags.get(id) ?? []);
      // The clock of the page runs on, and jumps when it is told to.
      await page.clock.install();
      await open(visitor, stage, '#/panel/BONOS');
      await page.locator('.col-tir', { hasText: '%' }).first().waitFor();
      await until('the first request', () => sentTags().length > 0);
      assert.deepEqual(sentTags(), ['']);
      await until('a second request', async () => {
        await page.clock.fastForward(10_000);
        return sentTags().length >= 2;
      });
      assert.match(sentTags()[1] ?? '', /^"/);
      await page.goto(`${stage.demo.url}#/panel/LID`);
      await boardRows(page).locator('[data-ticker="GGAL"]').waitFor();
      const { size } = requests;
      await page.clock.fastForward(60_000);
      await boardRows(page).first().getByRole('img').waitFor();
      assert.equal(requests.size, size);
      assert.deepEqual(faults, []);
    },
  );
});
