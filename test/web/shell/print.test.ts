import assert from 'node:assert/strict';

import { leaders } from '../../support/market/default-panels.ts';
import { setStage } from '../browser/stage.ts';
import { hasRows, test } from '../browser/visitor.ts';

const stage = setStage();

test('a printed page is black on white, without navigation, with all rows and the time of the print and of the data', async (visit) => {
  const { page } = await visit(stage, '#/panel/LID', { colorScheme: 'dark' });
  await hasRows(page, leaders);
  await page.emulateMedia({ media: 'print', colorScheme: 'dark' });
  const line = page.locator('.print-line');
  await line.waitFor();
  assert.match(
    await line.innerText(),
    /^LID: .* · Impreso el \d\d\/\d\d\/\d{4} a las \d\d:\d\d:\d\d · Datos del \d\d\/\d\d\/\d{4} a las \d\d:\d\d:\d\d/,
  );
  for (const hidden of ['.topbar', '.strip', '.tab-bar', '.toolbar', '.bottom-bar']) {
    assert.ok(!(await page.locator(hidden).first().isVisible()), hidden);
  }
  const colours = await page
    .locator('.board .col-ultimo')
    .last()
    .evaluate((cell) => {
      const { color } = getComputedStyle(cell);
      return [color, getComputedStyle(document.documentElement).backgroundColor];
    });
  assert.deepEqual(colours, ['rgb(0, 0, 0)', 'rgb(255, 255, 255)']);
  const frame = await page
    .locator('.table-frame')
    .evaluate((table) => [table.scrollHeight, table.clientHeight]);
  assert.equal(frame[0], frame[1], 'no row is cut');
  await page.emulateMedia({ media: 'screen' });
  await line.waitFor({ state: 'hidden' });
});
