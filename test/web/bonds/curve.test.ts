import assert from 'node:assert/strict';
import { suite } from 'node:test';

import type { Page } from 'playwright-core';

import { until } from '../../support/wait.ts';
import { percent, twoDecimals } from '../browser/spanish-number.ts';
import { setStage } from '../browser/stage.ts';
import { boardRows, test } from '../browser/visitor.ts';
import { day, holdBonds, type ReceivedBonds } from './bond-figures.ts';

const stage = setStage();
const curve = '#/panel/BONOS?vista=curva';

/** The rows of the table with a yield: ticker, family and figures. */
async function tableRows(page: Page): Promise<readonly (readonly string[])[]> {
  const rows = await page
    .locator('.curve .drawn-values tbody tr')
    .evaluateAll((all) =>
      all.map((row) => [...row.children].map(({ textContent }) => textContent)),
    );
  return rows.filter(([, , rate]) => rate !== '–');
}

/** Waits until the table has the figures that the page received for a query, and returns its rows. */
async function showsFiguresOf(
  page: Page,
  received: ReceivedBonds,
  query: string,
): Promise<readonly (readonly string[])[]> {
  let rows: readonly (readonly string[])[] = [];
  await until(`the figures of ${query}`, async () => {
    const figures = new Map(received.get(query)?.map((bond) => [bond.especie, bond]));
    rows = await tableRows(page);
    return (
      rows.length > 10 &&
      rows.every(([ticker = '', , ...cells]) => {
        const bond = figures.get(ticker);
        if (bond === undefined) return false;
        const wanted = [
          percent(bond.tir),
          twoDecimals(bond.durationModificada ?? NaN),
          percent(bond.paridad),
          day(bond.vencimiento),
        ];
        return wanted.every((text, at) => text === cells[at]);
      })
    );
  });
  // The points are drawn a moment after the rows.
  await page.locator('.curve-point').nth(1).waitFor();
  return rows;
}

/** The places of the points on the screen, by ticker, and their names. */
async function pointsOn(page: Page) {
  const points = await page.locator('.curve-point').evaluateAll((links) =>
    links.map((link) => {
      const { left, top, width, height } = link.getBoundingClientRect();
      const ticker = link.getAttribute('data-ticker') ?? '';
      const name = link.getAttribute('aria-label') ?? '';
      return [ticker, { x: left + width / 2, y: top + height / 2, name }] as const;
    }),
  );
  return new Map(points);
}

suite('the curve of bonds', { concurrency: 2 }, () => {
  test('each bond is a point by its duration and its yield of /bonos, with its family, and the convention changes them', async (visit) => {
    const { page, open } = await visit(stage, undefined, { isNew: true });
    const received = await holdBonds(page);
    await open(curve);
    for (const query of ['?panel=BONOS', '?panel=BONOS&convencion=bonarg']) {
      // oxlint-disable-next-line no-await-in-loop
      if (query.includes('bonarg')) await page.getByLabel('Convención').selectOption('Bonarg');
      // oxlint-disable-next-line no-await-in-loop
      const rows = await showsFiguresOf(page, received, query);
      const figures = new Map(received.get(query)?.map((bond) => [bond.especie, bond]));
      // oxlint-disable-next-line no-await-in-loop
      const points = [...(await pointsOn(page))].map(([ticker, point]) => {
        const { tir, durationModificada: duration } = figures.get(ticker) ?? {};
        return { ...point, ticker, rate: tir ?? NaN, duration: duration ?? NaN };
      });
      const outside = rows.filter((row) => row.at(-1) === 'Fuera del gráfico');
      const inDollars = rows.filter(([, family = '']) => /^Dólar|BOPREAL|^Oblig/.test(family));
      assert.equal(points.length + outside.length, inDollars.length);
      for (const { name } of points)
        assert.match(name, / pb (?:sobre|bajo) la curva ajustada|linked|BOPREAL/);
      // oxlint-disable-next-line no-await-in-loop
      assert.ok((await page.locator('.family-line.is-previous').count()) > 0);
      // Equal distances on the screen are equal differences, of years to the right and of yields upwards.
      const byDuration = points.toSorted((a, b) => a.duration - b.duration);
      const byRate = points.toSorted((a, b) => a.rate - b.rate);
      const [shortest = assert.fail(), longest = assert.fail()] = [
        byDuration[0],
        byDuration.at(-1),
      ];
      const [lowest = assert.fail(), highest = assert.fail()] = [byRate[0], byRate.at(-1)];
      for (const { x, y, rate, duration, ticker, name } of points) {
        const across = (duration - shortest.duration) / (longest.duration - shortest.duration);
        const up = (rate - lowest.rate) / (highest.rate - lowest.rate);
        const wantedX = shortest.x + across * (longest.x - shortest.x);
        const wantedY = lowest.y - up * (lowest.y - highest.y);
        assert.ok(Math.abs(x - wantedX) < 1 && Math.abs(y - wantedY) < 1, ticker);
        const [, family] = rows.find(([one]) => one === ticker) ?? [];
        assert.ok(
          name.startsWith(
            `${ticker}: ${family}, TIR ${percent(rate)}, Duration modificada ${twoDecimals(duration)} años`,
          ),
          name,
        );
      }
      assert.ok(highest.y < lowest.y && longest.x > shortest.x);
      const families = new Map(rows.map(([ticker = '', family]) => [ticker, family]));
      assert.equal(families.get('AL30D'), 'Dólar, ley argentina');
      assert.equal(families.get('GD35D'), 'Dólar, ley Nueva York');
      assert.equal(families.get('BPD7D'), 'BOPREAL');
      assert.equal(families.get('YMCXO'), 'Obligaciones negociables');
    }
  });

  test('no label covers another one, families and classes are chosen, and what is outside is named', async (visit) => {
    const { page, open } = await visit(stage);
    const received = await holdBonds(page);
    await open(curve);
    await showsFiguresOf(page, received, '?panel=BONOS');
    const overlaps = await page.locator('.curve-label').evaluateAll((labels) => {
      const boxes = labels.map((label) => label.getBoundingClientRect());
      return labels.flatMap((label, at) =>
        labels.slice(at + 1).flatMap((other, further) => {
          const [a, b] = [boxes[at], boxes[at + 1 + further]];
          if (a === undefined || b === undefined) return [];
          const wide = Math.min(a.right, b.right) - Math.max(a.left, b.left);
          const high = Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top);
          return wide > 1 && high > 2 ? [`${label.textContent} ${other.textContent}`] : [];
        }),
      );
    });
    assert.deepEqual(overlaps, []);
    const point = (ticker: string) => page.locator(`.curve-point[data-ticker="${ticker}"]`);
    await point('AL30D').waitFor();
    assert.equal(await point('AL30').count(), 0);
    const legend = page.getByRole('group', { name: 'Familias' });
    await legend.getByRole('button', { name: /^Dólar, ley argentina/ }).click();
    await point('AL30D').waitFor({ state: 'detached' });
    await page.getByRole('group', { name: 'TIR', exact: true }).getByText('En dólares').click();
    await point('AL30D').waitFor();
    await point('TX28').waitFor({ state: 'detached' });
    await page.getByRole('group', { name: 'Especies' }).getByText('Todas').click();
    await point('AL30').waitFor();
    await page.getByRole('group', { name: 'TIR', exact: true }).getByText('Todas').click();
    // Yields that are not comparable are on axes of their own.
    assert.deepEqual(await page.locator('.curve-room figcaption').allInnerTexts(), [
      'En dólares',
      'Real',
      'En pesos',
    ]);
    const outside = () =>
      page
        .locator('.curve .drawn-values tbody tr', { hasText: 'Fuera del gráfico' })
        .evaluateAll((rows) => rows.map((row) => row.querySelector('th')?.textContent ?? ''));
    const named = await page.locator('.curve-note a').allTextContents();
    assert.deepEqual(named, await outside());
    if (named.length > 0) {
      await page.getByRole('button', { name: 'Incluir todas en el gráfico' }).click();
      await until('no bond outside', async () => (await outside()).length === 0);
      for (const ticker of named) await point(ticker).waitFor();
    }
  });

  test('the arrow keys move between points, a tooltip shows the figures, and Enter opens the bond', async (visit) => {
    const { page, open } = await visit(stage);
    const received = await holdBonds(page);
    await open(`${curve}&convencion=tablero`);
    await showsFiguresOf(page, received, '?panel=BONOS&convencion=tablero');
    assert.equal(await page.locator('.curve-point[tabindex="0"]').count(), 1);
    const first = page.locator('.curve-point[tabindex="0"]');
    await first.focus();
    const before = await first.getAttribute('data-ticker');
    const tip = page.locator('.curve-tip');
    await tip.getByText(before ?? '', { exact: true }).waitFor();
    await page.keyboard.press('End');
    const last = page.locator('.curve-point:focus');
    const ticker = (await last.getAttribute('data-ticker')) ?? '';
    assert.notEqual(ticker, before);
    await tip.getByText(ticker, { exact: true }).waitFor();
    const bond = received
      .get('?panel=BONOS&convencion=tablero')
      ?.find(({ especie }) => especie === ticker);
    await tip.getByText(`TIR ${percent(bond?.tir ?? null)}`, { exact: true }).waitFor();
    await page.keyboard.press('Escape');
    await tip.waitFor({ state: 'detached' });
    await page.keyboard.press('Enter');
    await page.locator('.quote-title h1').getByText(ticker, { exact: true }).waitFor();
    assert.ok(page.url().endsWith(`#/especie/${ticker}?convencion=tablero`), page.url());
  });

  test('only bonds have a curve: a list with a bond has one, and a panel of shares opens as a table', async (visit) => {
    const { page } = await visit(stage, '#/lista/Mesa?especies=GGAL,AL30D,TX28&vista=curva');
    await page.locator('.curve-point[data-ticker="AL30D"]').waitFor();
    assert.equal(await page.locator('.curve .drawn-values tbody tr').count(), 2);
    await page.goto(`${stage.demo.url}${curve}`);
    await page.locator('.curve-point').first().waitFor();
    await page.locator('.tabs a[href^="#/panel/LID"]').first().click();
    await boardRows(page).first().waitFor();
    const views = page.getByLabel('Vista').getByRole('option');
    assert.deepEqual(await views.allTextContents(), ['Tabla', 'Gráficos', 'Mapa', 'Ranking']);
    await page.goto(`${stage.demo.url}#/panel/LID?vista=curva`);
    await page.getByText('Ninguna de estas especies es un bono con TIR').waitFor();
  });
});
