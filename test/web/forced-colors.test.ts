import assert from 'node:assert/strict';
import { test } from 'node:test';

import type { Locator } from 'playwright-core';

import { options, setStage } from './browser/stage.ts';
import { boardRows, open, visit } from './browser/visitor.ts';

const stage = setStage();

/** A colour that is drawn: of an element, or of what the styles put before it. */
function drawn(element: Locator, property: string, pseudo?: string): Promise<string> {
  return element.evaluate(
    (one, [name = '', before = null]) => getComputedStyle(one, before).getPropertyValue(name),
    pseudo === undefined ? [property] : [property, pseudo],
  );
}

test(
  'with forced colours, the current tab and view, the arrows and the dots are visible',
  options,
  async () => {
    await using visitor = await visit(stage.browser, { forcedColors: 'active' });
    const { page } = visitor;
    await open(visitor, stage, '#/panel/LID?orden=especie');
    await boardRows(page).first().waitFor();
    const canvas = await page.evaluate(() => {
      const sheet = document.body.appendChild(document.createElement('p'));
      sheet.style.cssText = 'forced-color-adjust: none; background: Canvas';
      const { backgroundColor } = getComputedStyle(sheet);
      sheet.remove();
      return backgroundColor;
    });
    for (const bar of ['.topnav', '.tabs']) {
      const current = page.locator(`${bar} a[aria-current]`).first();
      const other = page.locator(`${bar} a:not([aria-current])`).first();
      assert.notEqual(await drawn(current, 'border-bottom-color'), canvas, bar);
      assert.equal(await drawn(other, 'border-bottom-color'), canvas, bar);
    }
    const view = page.getByRole('group', { name: 'Vista' });
    const [chosen, other] = [view.getByText('Tabla'), view.getByText('Mapa')];
    assert.notEqual(
      await drawn(chosen, 'background-color'),
      await drawn(other, 'background-color'),
    );
    const shapes = [
      ['.board .dot', undefined],
      ['.markets .dot', undefined],
      ['.connection .dot', undefined],
      ['.sort-mark', undefined],
      ['td.change:is(.up, .down)', '::before'],
    ] as const;
    for (const [selector, pseudo] of shapes) {
      const shape = page.locator(selector).first();
      assert.notEqual(await drawn(shape, 'background-color', pseudo), canvas, selector);
    }
  },
);
