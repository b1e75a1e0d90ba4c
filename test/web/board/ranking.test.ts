import { agrees } from '../browser/agrees.ts';
import { setStage } from '../browser/stage.ts';
import { test } from '../browser/visitor.ts';

const stage = setStage();

/** The rankings of the page, and what `/ranking` says of each. */
const requests = [
  { title: 'Mayores subas', query: 'por=variacion', sign: 1 },
  { title: 'Mayores bajas', query: 'por=variacion&orden=asc', sign: -1 },
  { title: 'Más operadas en ARS', query: 'por=monto', sign: 0 },
] as const;

interface Ranked {
  readonly especie: string;
  readonly variacion: number;
}

test('the rankings of a panel have the instruments of /ranking, in its order, and only rises or falls', async (visit) => {
  const { page } = await visit(stage, '#/panel/CED');
  await page.getByLabel('Vista').selectOption('Ranking');
  await page.waitForURL(/#\/panel\/CED\?vista=ranking$/);
  for (const { title, query, sign } of requests) {
    const table = page.getByRole('region', { name: title });
    // The prices move, so both are read until they are of one moment.
    // oxlint-disable-next-line no-await-in-loop
    await agrees(title, async () => {
      const ranked = await stage.demo.get<readonly Ranked[]>(`ranking?panel=CED&${query}`);
      const wanted = ranked.filter(({ variacion }) => sign === 0 || variacion * sign > 0);
      const shown = await table.getByRole('rowheader').allInnerTexts();
      const expected = wanted.map(({ especie }) => especie);
      return shown.join() === expected.join() ? [] : [`${shown.join()} ≠ ${expected.join()}`];
    });
  }
});
