import assert from 'node:assert/strict';
import { suite } from 'node:test';

import type { Page } from 'playwright-core';

import type {
  CifrasDeBono,
  CifrasDeCierre,
  FlujoDeBono,
  Instrumento,
} from '../../../clients/typescript/src/contract.ts';
import { until } from '../../support/wait.ts';
import { percent, spanishNumber, twoDecimals } from '../browser/spanish-number.ts';
import { setStage } from '../browser/stage.ts';
import { test } from '../browser/visitor.ts';
import { day, holdBonds } from './bond-figures.ts';

const stage = setStage();

const fixed = (value: number | null, count: number) =>
  value === null ? '–' : spanishNumber(value, count);

/** What the page shows of each figure but the price, by its name. */
function figuresOf(bond: CifrasDeBono): Readonly<Record<string, string>> {
  return {
    TIR: percent(bond.tir),
    TNA: percent(bond.tna),
    TEM: percent(bond.tem),
    Duration: fixed(bond.duration, 2),
    'Duration modificada': fixed(bond.durationModificada, 2),
    Convexidad: fixed(bond.convexidad, 2),
    Paridad: percent(bond.paridad),
    'Valor técnico': fixed(bond.valorTecnico, 4),
    'Intereses corridos': fixed(bond.interesesCorridos, 4),
    Residual: percent(bond.residual),
    Liquidación: day(bond.liquidacion),
  };
}

/** A column of the table of figures, by the name of each figure. */
async function shownColumn(page: Page, title: string): Promise<Readonly<Record<string, string>>> {
  return page.locator('.bond-frame table').evaluate((table, wanted) => {
    const at = [...table.querySelectorAll('thead th')].findIndex(
      ({ textContent }) => textContent === wanted,
    );
    return Object.fromEntries(
      [...table.querySelectorAll('tbody tr')].map((row) => [
        row.querySelector('th')?.firstChild?.textContent ?? '',
        row.children[at]?.textContent ?? '',
      ]),
    );
  }, title);
}

/** Waits until a column of the table has the figures of a bond. */
async function shows(
  page: Page,
  title: string,
  bond: () => CifrasDeBono | undefined,
): Promise<void> {
  await until(`the figures of «${title}»`, async () => {
    const figures = bond();
    if (figures === undefined) return false;
    const { Precio: _price, ...shown } = await shownColumn(page, title);
    return JSON.stringify(shown) === JSON.stringify(figuresOf(figures));
  });
}

suite('the page of a bond', { concurrency: 2 }, () => {
  test('its figures, its payments and its terms are those of the service', async (visit) => {
    const { page, open } = await visit(stage, undefined, { isNew: true });
    const received = await holdBonds(page);
    await open('#/especie/AL30');
    await shows(page, 'Al último precio', () => received.get('?especie=AL30')?.[0]);
    // The strip on top has the book and what is looked at most, and links lead to the other classes.
    const strip = await page
      .locator('.figures')
      .first()
      .locator('.figure')
      .evaluateAll((all) => all.map((one) => [...one.children].map((part) => part.textContent)));
    const facts = Object.fromEntries(strip) as Readonly<Record<string, string>>;
    const [figures = assert.fail('no figures')] = received.get('?especie=AL30') ?? [];
    assert.deepEqual(
      [facts['TIR'], facts['Dur. mod.'], facts['Paridad']],
      [percent(figures.tir), fixed(figures.durationModificada, 2), percent(figures.paridad)],
    );
    assert.match(facts['Compra'] ?? '', /^[\d.]+,\d+ × [\d.]+$/);
    const siblings = page.getByRole('navigation', { name: 'Especies relacionadas' });
    await siblings.getByRole('link', { name: 'AL30C' }).waitFor();
    assert.deepEqual(await siblings.getByRole('link').allInnerTexts(), ['AL30D', 'AL30C', 'GD30']);
    const [bond] = received.get('?especie=AL30') ?? [];
    const note = await page.locator('.bond-figures .hint').innerText();
    assert.ok(note.includes(`el dólar MEP a ${twoDecimals(bond?.tipoCambio ?? NaN)}`), note);
    assert.ok(note.includes(`el precio del ${day(bond?.fecha ?? '')} a las ${bond?.hora}`), note);

    const flows = await stage.demo.get<readonly FlujoDeBono[]>('bonos/flujos?especie=AL30');
    assert.ok(flows.length > 5);
    const cells = await page
      .locator('.flows-frame tbody tr')
      .evaluateAll((rows) =>
        rows.map((row) => [...row.children].map((cell) => cell.firstChild?.textContent ?? '')),
      );
    assert.deepEqual(
      cells,
      flows.map(({ fecha, interes, amortizacion, total, residual }) => [
        day(fecha),
        fixed(interes, 4),
        fixed(amortizacion, 4),
        fixed(total, 4),
        percent(residual),
      ]),
    );
    const [info] = await stage.demo.get<readonly Instrumento[]>(
      'especies.json?buscar=AL30&campos=isin,terminosRevisados,terminosFuentes',
    );
    const terms = await page.locator('.bond-terms').innerText();
    for (const text of ['Argentina', info?.isin, day(info?.terminosRevisados ?? '')]) {
      assert.ok(text !== undefined && terms.includes(text), `${text} in ${terms}`);
    }
  });

  test('its yields at the closes of the range are those of the service, with the difference to the compared bond', async (visit) => {
    const { page } = await visit(stage, '#/especie/AL30D?rango=6m&comparar=GGAL,GD30D', {
      isNew: true,
    });
    const values = page.locator('.bond-history .chart-value');
    await until('both lines', async () => (await values.count()) === 2);
    const closes = await stage.demo.get<readonly CifrasDeCierre[]>(
      'bonos/historicos?especie=AL30D&desde=2000-01-01&hasta=2100-01-01&contra=GD30D',
    );
    const last = closes.at(-1) ?? assert.fail('no closes');
    const shown = (await values.allInnerTexts()).map((text) => {
      const [, name = '', value = '', unit = ''] = /^(.*) (\S+) (\S+)$/.exec(text) ?? [];
      return [name, Number(value.replace(',', '.').replace('−', '-')), unit];
    });
    assert.deepEqual(shown, [
      ['TIR AL30D', last.tir, '%'],
      ['Diferencia con GD30D', last.diferencia, 'puntos'],
    ]);
  });

  test('a price of the user has figures beside those of the market, by the chosen convention, and a wrong one says why not', async (visit) => {
    const { page, open } = await visit(stage, undefined, { isNew: true });
    const received = await holdBonds(page);
    await open('#/especie/GD35D');
    const price = page.getByRole('textbox', { name: /^Precio en USD cada 100 nominales, sucio/ });
    await price.fill('60,84');
    await price.press('Enter');
    await shows(page, 'A 60,84', () => received.get('?especie=GD35D&precio=60.84')?.[0]);
    await shows(page, 'Al último precio', () => received.get('?especie=GD35D')?.[0]);

    // Figures of a price that comes back are those of a new response.
    await price.fill('61');
    await price.press('Enter');
    const column = (name: string) => page.getByRole('columnheader', { name, exact: true });
    await column('A 61,00').waitFor();
    await page.route(/[?&]precio=/, (route) => route.abort());
    await price.fill('60,84');
    await price.press('Enter');
    await column('A 61,00').waitFor({ state: 'detached' });
    assert.equal(await column('A 60,84').count(), 0);
    await page.unroute(/[?&]precio=/);

    await page.getByRole('combobox', { name: 'Convención' }).selectOption('Bonarg');
    await page.getByText('Precio en USD cada 100 nominales, limpio').waitFor();
    const query = '?especie=GD35D&convencion=bonarg';
    await shows(page, 'A 60,84', () => received.get(`${query}&precio=60.84`)?.[0]);
    assert.match(page.url(), /#\/especie\/GD35D\?convencion=bonarg$/);

    const field = page.getByRole('form', { name: 'Calcular a otro precio' });
    const problem = field.getByRole('alert');
    const input = field.getByRole('textbox');
    for (const [text, said] of [
      ['abc', '«abc» no es un precio mayor que cero, como 60,84 o 94.018.'],
      ['0', '«0» no es un precio mayor que cero, como 60,84 o 94.018.'],
      ['', 'Ingresar un precio, por ejemplo 60,84.'],
    ] as const) {
      // oxlint-disable-next-line no-await-in-loop
      await input.fill(text);
      // oxlint-disable-next-line no-await-in-loop
      await input.press('Enter');
      // oxlint-disable-next-line no-await-in-loop
      await problem.getByText(said, { exact: true }).waitFor();
      // oxlint-disable-next-line no-await-in-loop
      assert.equal(await page.locator('.bond-frame thead th').count(), 2);
    }
    assert.equal(await input.getAttribute('aria-invalid'), 'true');
    await input.fill('6.084');
    await field.getByRole('button', { name: 'Calcular' }).click();
    await problem.getByText(/^El precio es dudoso: la paridad no está entre 5 y 200 %/).waitFor();
    await field.getByRole('button', { name: 'Quitar' }).click();
    await page.locator('.bond-frame thead th').nth(2).waitFor({ state: 'detached' });
  });

  test('what an index multiplies is named as an estimate, a bond without terms says so, and a share has no figures of bonds', async (visit) => {
    const { page, asked } = await visit(stage, '#/especie/TX28');
    await page.getByRole('columnheader', { name: 'Ajustado por CER (estimado)' }).waitFor();
    const flows = await stage.demo.get<readonly FlujoDeBono[]>('bonos/flujos?especie=TX28');
    const adjusted = await page.locator('.flows-frame tbody td:nth-of-type(4)').allInnerTexts();
    assert.deepEqual(
      adjusted,
      flows.map(({ ajustado }) => fixed(ajustado, 4)),
    );
    await page.goto(`${stage.demo.url}#/especie/PAP0`);
    await page.getByText('El servicio no tiene las condiciones de emisión de PAP0').waitFor();
    await page.goto(`${stage.demo.url}#/especie/GGAL`);
    await page.locator('.statistics').first().waitFor();
    assert.equal(await page.locator('.bond-room').count(), 0);
    assert.deepEqual(
      asked.filter((url) => url.includes('/bonos?especie=GGAL')),
      [],
    );
  });
});
