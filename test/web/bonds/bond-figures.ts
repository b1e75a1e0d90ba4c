import type { Page } from 'playwright-core';

import type { CifrasDeBono } from '../../../clients/typescript/src/contract.ts';

/** The figures that a page received, by the query of their request. */
export type ReceivedBonds = ReadonlyMap<string, readonly CifrasDeBono[]>;

/**
 * Gives a page the figures of `/bonos` as the service has them, and the same ones again for the same query, so
 * that what is seen can be compared with them while prices move.
 */
export async function holdBonds(page: Page): Promise<ReceivedBonds> {
  const received = new Map<string, readonly CifrasDeBono[]>();
  const bodies = new Map<string, { readonly status: number; readonly body: string }>();
  await page.route('**/bonos?*', async (route) => {
    const { search } = new URL(route.request().url());
    let held = bodies.get(search);
    if (held === undefined) {
      const response = await route.fetch();
      held = { status: response.status(), body: await response.text() };
      bodies.set(search, held);
      if (held.status === 200) received.set(search, JSON.parse(held.body) as CifrasDeBono[]);
    }
    await route.fulfill({ ...held, contentType: 'application/json' });
  });
  return received;
}

/** A number as Argentina writes it, without the code of the page: `−1.234,50`. */
export function decimals(value: number, count = 2): string {
  const [whole = '', part] = Math.abs(value).toFixed(count).split('.');
  const grouped = whole.replaceAll(/\B(?=(\d{3})+$)/g, '.');
  const text = part === undefined ? grouped : `${grouped},${part}`;
  return value < 0 && /[1-9]/.test(text) ? `−${text}` : text;
}

/** A percentage, or a dash. */
export function percent(value: number | null): string {
  return value === null ? '–' : `${decimals(value)}\u00a0%`;
}

/** `09/07/2030`. */
export function day(date: string): string {
  return date.split('-').toReversed().join('/');
}
