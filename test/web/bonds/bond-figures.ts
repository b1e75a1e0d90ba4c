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
      const rows = held.status === 200 ? (JSON.parse(held.body) as CifrasDeBono[]) : [];
      // Shortly after a start of the service, some prices are missing. The page asks again.
      const isComplete = rows.length > 0 && rows.every(({ estado }) => estado !== 'sin-cambio');
      if (isComplete) {
        bodies.set(search, held);
        received.set(search, rows);
      }
    }
    await route.fulfill({ ...held, contentType: 'application/json' });
  });
  return received;
}

/** `09/07/2030`. */
export function day(date: string): string {
  return date.split('-').toReversed().join('/');
}
