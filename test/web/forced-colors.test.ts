import assert from 'node:assert/strict';

import type { Locator, Page } from 'playwright-core';

import { setStage } from './browser/stage.ts';
import { boardRows, test } from './browser/visitor.ts';

const stage = setStage();

/** A colour that is drawn: of an element, or of what the styles put before it. */
function drawn(element: Locator, property: string, pseudo?: string): Promise<string> {
  return element.evaluate(
    (one, [name = '', before = null]) => getComputedStyle(one, before).getPropertyValue(name),
    pseudo === undefined ? [property] : [property, pseudo],
  );
}

/** What a colour of the system is on this page. */
function systemColour(page: Page, name: string): Promise<string> {
  return page.evaluate((colour) => {
    const sheet = document.body.appendChild(document.createElement('p'));
    sheet.style.cssText = `forced-color-adjust: none; background: ${colour}`;
    const { backgroundColor } = getComputedStyle(sheet);
    sheet.remove();
    return backgroundColor;
  }, name);
}

test('with forced colours, the current tab and range, the arrows and the dots are visible', async (visit) => {
  const { page, open } = await visit(stage, '#/panel/LID?orden=especie', {
    forcedColors: 'active',
  });
  await boardRows(page).first().waitFor();
  const [canvas, text, highlight] = await Promise.all(
    ['Canvas', 'CanvasText', 'Highlight'].map((name) => systemColour(page, name)),
  );
  for (const bar of ['.topnav', '.tabs']) {
    const current = page.locator(`${bar} a[aria-current]`).first();
    const other = page.locator(`${bar} a:not([aria-current])`).first();
    assert.equal(await drawn(current, 'border-bottom-color'), highlight, bar);
    assert.equal(await drawn(other, 'border-bottom-color'), canvas, bar);
  }
  const shapes = [
    ['.board .dot', undefined],
    ['.markets .dot', undefined],
    ['.connection .dot', undefined],
    ['.sort-mark', undefined],
    ['td.change:is(.up, .down)', '::before'],
  ] as const;
  for (const [selector, pseudo] of shapes) {
    const shape = page.locator(selector).first();
    assert.equal(await drawn(shape, 'background-color', pseudo), text, selector);
  }
  await open('#/panel/LID?vista=graficos');
  const range = page.getByRole('group', { name: 'Rango' });
  const [chosen, other] = [range.getByText('1d', { exact: true }), range.getByText('5d')];
  assert.equal(await drawn(chosen, 'background-color'), highlight);
  assert.notEqual(await drawn(other, 'background-color'), highlight);
  await open('#/panel/LID?vista=mapa');
  const tile = page.locator('.tile').first();
  await tile.waitFor();
  assert.notEqual(await drawn(tile, 'background-color'), canvas);
});
