import type { Browser, BrowserContextOptions, Page } from 'playwright-core';

/** A page with what it asked for and what went wrong on it. */
export interface Visit extends AsyncDisposable {
  readonly page: Page;
  /** Every address that the page asked for. */
  readonly asked: readonly string[];
  /** Errors of scripts, and what the Content-Security-Policy stopped. */
  readonly faults: readonly string[];
}

/** Someone in Buenos Aires with a fresh browser. */
export async function visit(browser: Browser, options: BrowserContextOptions = {}): Promise<Visit> {
  const context = await browser.newContext({
    locale: 'es-AR',
    timezoneId: 'America/Argentina/Buenos_Aires',
    viewport: { width: 1440, height: 900 },
    ...options,
  });
  const page = await context.newPage();
  const asked: string[] = [];
  const faults: string[] = [];
  page.on('request', (request) => asked.push(request.url()));
  page.on('pageerror', (error) => faults.push(error.message));
  page.on('console', (message) => {
    // That an answer was a 4xx is noted there too, and is no fault of the page.
    const isRefusal = message.text().startsWith('Failed to load resource');
    if (message.type() === 'error' && !isRefusal) faults.push(message.text());
  });
  return { page, asked, faults, [Symbol.asyncDispose]: () => context.close() };
}

/** Types the key into the dialog, as a person does. */
export async function enterKey(page: Page, key: string): Promise<void> {
  await page.getByRole('button', { name: 'Ingresar la clave' }).click();
  await page.getByRole('textbox', { name: 'Clave' }).fill(key);
  await page.getByRole('button', { name: 'Usar esta clave' }).click();
}

/** The rows of the board. */
export function boardRows(page: Page) {
  return page.locator('table.board tbody tr');
}
