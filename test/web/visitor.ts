import type { Browser, BrowserContextOptions, Page } from 'playwright-core';

/** A page, with its requests and faults. */
export interface Visit extends AsyncDisposable {
  readonly page: Page;
  /** Every address that the page requested. */
  readonly asked: readonly string[];
  /** Errors of scripts, and violations of the Content-Security-Policy. */
  readonly faults: readonly string[];
}

/** Opens a page in a new browser profile with the locale and time zone of Buenos Aires. */
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
    // The console also has 4xx responses, which are not faults of the page.
    const isRefusal = message.text().startsWith('Failed to load resource');
    if (message.type() === 'error' && !isRefusal) faults.push(message.text());
  });
  return { page, asked, faults, [Symbol.asyncDispose]: () => context.close() };
}

/** Enters the key into the dialog. */
export async function enterKey(page: Page, key: string): Promise<void> {
  await page.getByRole('button', { name: 'Ingresar la clave' }).click();
  await page.getByRole('textbox', { name: 'Clave' }).fill(key);
  await page.getByRole('button', { name: 'Usar esta clave' }).click();
}

/** The rows of the board. */
export function boardRows(page: Page) {
  return page.locator('table.board tbody tr');
}
