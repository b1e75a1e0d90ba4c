import assert from 'node:assert/strict';

import { agrees } from '../browser/agrees.ts';
import { spanishNumber } from '../browser/spanish-number.ts';
import { setStage } from '../browser/stage.ts';
import { test } from '../browser/visitor.ts';

const stage = setStage();

/** Rows without the names of their events. */
function withoutEvent(rows: readonly string[]): readonly string[] {
  return rows.map((row) => row.replace(/,(?:Renta|Amort|Venc)[^,]*,/, ','));
}

interface Flow {
  readonly pago: string;
  readonly total: number;
}

test('the calendar of a list has each payment of /bonos/flujos once, the next twelve months first', async (visit) => {
  const { page } = await visit(stage, '#/lista/Renta?especies=AL30,AL30D,GGAL&vista=calendario');
  const flows = await stage.demo.get<readonly Flow[]>('bonos/flujos?especie=AL30');
  const table = page.getByRole('region', { name: 'Calendario' });
  const shown = () =>
    table
      .locator('tr:has(td)')
      .evaluateAll((rows) =>
        rows.map((row) => [...row.children].map((cell) => cell.firstChild?.textContent).join()),
      );
  const expected = flows.map(({ pago, total }) => {
    const day = pago.split('-').toReversed().join('/');
    return `${day},AL30,${spanishNumber(total, 2)} USD`;
  });
  await page.getByRole('button', { name: /^Ver las/ }).waitFor();
  assert.ok((await shown()).length < flows.length);
  await page.getByRole('button', { name: /^Ver las/ }).click();
  await agrees('the payments', async () => {
    const rows = withoutEvent(await shown());
    return rows.join('|') === expected.join('|')
      ? []
      : [`${rows.join('|')} ≠ ${expected.join('|')}`];
  });
});
