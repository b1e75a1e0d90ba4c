import assert from 'node:assert/strict';
import { suite } from 'node:test';

import { until } from '../../support/wait.ts';
import { setStage } from '../browser/stage.ts';
import { boardRows, test } from '../browser/visitor.ts';

const stage = setStage();

suite('the figures of bonds on the board', { concurrency: 2 }, () => {
  test('only boards of bonds request /bonos, and a dash says why a figure is missing', async (visit) => {
    const { page, asked, open } = await visit(stage, undefined, { isNew: true });
    const bondRequests = () => asked.filter((url) => url.includes('/bonos'));
    await open('#/panel/LID');
    await boardRows(page).first().getByRole('img').waitFor();
    await page.goto(`${stage.demo.url}#/panel/CED`);
    await boardRows(page).first().getByRole('img').waitFor();
    assert.deepEqual(bondRequests(), []);
    await page.goto(`${stage.demo.url}#/panel/BONOS`);
    const row = page.locator('tr', { has: page.locator('[data-ticker="PAP0"]') });
    const dash = row.locator('.col-tir').and(page.locator('[title]'));
    await dash.waitFor();
    assert.equal(await dash.innerText(), '–');
    assert.equal(
      await dash.getAttribute('title'),
      'No es un bono, o faltan sus condiciones de emisión',
    );
    assert.ok(bondRequests().length > 0);
    assert.ok(bondRequests().every((url) => url.endsWith('/bonos?panel=BONOS')));
  });

  test('the figures are requested again with their ETag while the board is shown, and no longer after it is left', async (visit) => {
    const { page, open } = await visit(stage, undefined, { isNew: true });
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
    await open('#/panel/BONOS');
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
  });
});
