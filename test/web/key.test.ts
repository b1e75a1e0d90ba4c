import assert from 'node:assert/strict';

import { setStage } from './browser/stage.ts';
import { boardRows, enterKey, test } from './browser/visitor.ts';

const stage = setStage();

test('a new tab uses the key of an open one, a remembered key outlives its tab, and all tabs forget it together', async (visit) => {
  const { page } = await visit(stage);
  const context = page.context();
  await page.goto(`${stage.demo.url}#key=${stage.demo.key}`);
  await boardRows(page).first().waitFor();
  const second = await context.newPage();
  await second.goto(`${stage.demo.url}#/panel/GEN`);
  await boardRows(second).first().waitFor();
  const stored = () => second.evaluate(() => JSON.stringify([localStorage, sessionStorage]));
  assert.ok(!(await stored()).includes(stage.demo.key), 'nobody chose to remember it');
  await page.getByRole('button', { name: 'Recordarla en este dispositivo' }).click();
  await second.close();
  await page.goto('about:blank');

  const [third, fourth] = [await context.newPage(), await context.newPage()];
  for (const tab of [third, fourth]) {
    await tab.goto(`${stage.demo.url}#/panel/LID`);
    await boardRows(tab).first().waitFor();
  }
  await third.getByRole('button', { name: 'Clave', exact: true }).click();
  await third.getByRole('button', { name: 'Olvidar la clave' }).click();
  for (const tab of [third, fourth]) {
    await tab.getByRole('heading', { name: 'Falta la clave de acceso' }).waitFor();
    await tab.reload();
    await tab.getByRole('heading', { name: 'Falta la clave de acceso' }).waitFor();
  }
  // A tab that waits for a key gets the one that is entered in another.
  await enterKey(third, stage.demo.key);
  for (const tab of [third, fourth]) await boardRows(tab).first().waitFor();
});

test('on the machine of the service, a person without a key reads the command that makes one, and can copy it', async (visit) => {
  const { page } = await visit(stage, undefined, {
    permissions: ['clipboard-read', 'clipboard-write'],
  });
  await page.goto(stage.demo.url);
  const command = 'npx pizarra keys create --name yo';
  await page.getByText(command, { exact: true }).waitFor();
  await page.getByRole('button', { name: 'Copiar' }).click();
  await page.getByText('Copiado').waitFor();
  assert.equal(await page.evaluate(() => navigator.clipboard.readText()), command);
});

test('the demonstration says how to see the real market', async (visit) => {
  const { page } = await visit(stage);
  await page.goto(stage.demo.url);
  await page.getByRole('button', { name: 'Ver el mercado real' }).click();
  await page.getByText('npx pizarra serve --market argentina', { exact: true }).waitFor();
  await page.keyboard.press('Escape');
  await page.locator('dialog[open]').waitFor({ state: 'detached' });
});
