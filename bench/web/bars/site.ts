import type { BrowserContextOptions, CDPSession, Page } from 'playwright-core';

import { storedLists } from '../../../test/web/browser/places.ts';
import type { Ground } from './bar.ts';

/** A phone: 390 pixels wide, with a fine screen and touch. */
export const phone: BrowserContextOptions = {
  viewport: { width: 390, height: 844 },
  deviceScaleFactor: 2,
  hasTouch: true,
  isMobile: true,
};

/** A page in a new profile, with an empty cache. */
export interface Site extends AsyncDisposable {
  readonly page: Page;
  readonly devtools: CDPSession;
}

/** Opens an empty page. */
export async function openSite(
  { browser }: Pick<Ground, 'browser'>,
  options: BrowserContextOptions = {},
): Promise<Site> {
  const context = await browser.newContext({
    locale: 'es-AR',
    timezoneId: 'America/Argentina/Buenos_Aires',
    viewport: { width: 1440, height: 900 },
    ...options,
  });
  const page = await context.newPage();
  const devtools = await context.newCDPSession(page);
  return { page, devtools, [Symbol.asyncDispose]: () => context.close() };
}

/** Gives the page a key that it remembers, and the lists of the tests. They take effect with the next page. */
export async function rememberVisitor(
  { page }: Site,
  { key }: { readonly key: string },
): Promise<void> {
  await page.addInitScript(
    ([own, lists]) => {
      sessionStorage.setItem('pizarra.key /', own);
      localStorage.setItem('pizarra.lists', lists);
    },
    [key, JSON.stringify(storedLists)] as const,
  );
}
