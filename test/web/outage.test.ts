import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { runPizarra } from '../support/program/program.ts';
import { setStage } from './browser/stage.ts';
import { boardRows, test } from './browser/visitor.ts';

/** A close of a panel that is not the first, and a source at a port at which nothing listens. */
async function withoutSources(data: string): Promise<readonly string[]> {
  const closes = join(data, 'closes.csv');
  await writeFile(closes, 'ticker,date,close\nDOLAR OFICIAL,2026-11-19,1450\n');
  assert.equal((await runPizarra(['import', closes, '--store', data])).code, 0);
  const config = join(data, 'pizarra.yaml');
  await writeFile(
    config,
    "feeds:\n  - { name: down, type: dolarapi, url: 'http://127.0.0.1:9' }\n",
  );
  return ['--config', config];
}

const stage = setStage(withoutSources);
const dolar = '[data-ticker="DOLAR OFICIAL"]';

test('the page says that no source responds, and why, on phones and desktops', async (visit) => {
  for (const width of [360, 1280]) {
    const { page } = await visit(stage, '', { viewport: { width, height: 800 } });
    const banner = page
      .getByRole('alert')
      .filter({ hasText: 'Ninguna fuente de precios responde' });
    await banner.waitFor();
    assert.match(await banner.innerText(), /responde: no hay conexión con ellas\./);
    await page.locator('.connection [role=status]', { hasText: 'Sin fuentes' }).waitFor();
    await page.locator(dolar).waitFor();
    const overflow = await page.evaluate(
      () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
    );
    assert.equal(overflow, 0, `${width} px wide`);
  }
});

test('the board opens the first panel with quotes, and remembers the choice of a person', async (visit) => {
  const { page } = await visit(stage, '');
  await page.locator(dolar).waitFor();
  assert.match(await page.title(), /^IND/);
  // An address that names a panel shows it, with or without quotes.
  await page.goto(`${stage.demo.url}#/panel/LID`);
  await boardRows(page).first().waitFor();
  await page.waitForFunction(() => document.title.startsWith('LID'));
  await page.goto(`${stage.demo.url}#/`);
  await page.waitForFunction(() => document.title.startsWith('IND'));
  await page.getByRole('link', { name: 'Bonos', exact: true }).click();
  await page.waitForFunction(() => document.title.startsWith('BONOS'));
  await page.goto(`${stage.demo.url}#/`);
  await page.reload();
  await boardRows(page).first().waitFor();
  await page.waitForFunction(() => document.title.startsWith('BONOS'));
});
