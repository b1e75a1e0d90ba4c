import { test } from 'node:test';

import { checkBothSchemes } from './check-accessibility.ts';
import { places } from './places.ts';
import { options, setStage } from './stage.ts';
import { enterKey, visit } from './visitor.ts';

const stage = setStage();

for (const viewport of [
  { width: 1440, height: 900 },
  { width: 390, height: 844 },
]) {
  test(`axe finds no violation of WCAG AA, ${viewport.width} px wide`, options, async (t) => {
    // Reduced motion disables the flash of changed prices, whose colours are not permanent.
    await using visitor = await visit(stage.browser, { viewport, reducedMotion: 'reduce' });
    const { page } = visitor;
    await page.goto(stage.demo.url);
    await page.getByRole('button', { name: 'Ingresar la clave' }).waitFor();
    await checkBothSchemes(t, page, 'without a key');
    await page.getByRole('button', { name: 'Ingresar la clave' }).click();
    await checkBothSchemes(t, page, 'the dialog of the key');
    await page.keyboard.press('Escape');
    await enterKey(page, stage.demo.key);
    for (const { name, address, ready } of places) {
      await page.goto(stage.demo.url + address);
      await page.locator(ready).first().waitFor();
      // Swagger UI renders its own content, so only the page around it is checked.
      await checkBothSchemes(t, page, name, name === 'referencia' ? ['#reference'] : []);
    }
    await page.keyboard.press('Control+k');
    await page.keyboard.type('banco');
    await page.getByRole('option').first().waitFor();
    await checkBothSchemes(t, page, 'the search');
  });
}
