import type { Page } from 'playwright-core';

import type { PrecioDelDolar } from '../../../clients/typescript/src/contract.ts';
import { signed, twoDecimals } from '../browser/spanish-number.ts';

type Rows = readonly PrecioDelDolar[];

/**
 * Records the rows that the service sent to a page, by the query of the request. The first response is repeated, so
 * that the figures on the screen have one that they can be compared with.
 */
export async function recordDollars(page: Page): Promise<(query: string) => Rows | undefined> {
  const sent = new Map<string, { readonly rows: Rows; readonly body: string }>();
  await page.route('**/dolares*', async (route) => {
    const { search } = new URL(route.request().url());
    let known = sent.get(search);
    if (known === undefined) {
      const body = await (await route.fetch()).text();
      known = { rows: JSON.parse(body) as Rows, body };
      sent.set(search, known);
    }
    await route.fulfill({ contentType: 'application/json', body: known.body });
  });
  return (query) => sent.get(query)?.rows;
}

/** `1.480,22`, or a dash. */
export function price(value: number | null | undefined): string {
  return value === null || value === undefined ? '–' : twoDecimals(value);
}

/** `+3,56 %`, or a dash. */
export function change(value: number | null | undefined): string {
  return value === null || value === undefined ? '–' : `${signed(value)}\u00a0%`;
}
