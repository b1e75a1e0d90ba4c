import assert from 'node:assert/strict';
import { test as nodeTest, type TestContext } from 'node:test';

import type { Browser, BrowserContextOptions, Page } from 'playwright-core';

import { options, type Stage } from './stage.ts';

/** A page, with its requests and faults. */
export interface Visit {
  readonly page: Page;
  /** Every address that the page requested. */
  readonly asked: readonly string[];
  /** Errors of scripts, and violations of the Content-Security-Policy. */
  readonly faults: readonly string[];
  /** Opens a place of the playground, as {@link openIn}. */
  readonly open: (hash: string, stored?: Stored) => Promise<void>;
}

/** Values that the browser stores already, by their entries. */
type Stored = Readonly<Record<string, unknown>>;

interface Beginning extends BrowserContextOptions {
  readonly stored?: Stored;
  /** Gives the page a new profile. Its cache and history are empty too. */
  readonly isNew?: boolean;
}

/** Opens a page for the test, and a place of the playground in it if it is given. */
export type VisitStage = (stage: Stage, hash?: string, beginning?: Beginning) => Promise<Visit>;

/**
 * A test in a browser, which is skipped without one. It fails if a script of a page that it visits fails, or if the page
 * violates its Content-Security-Policy.
 */
export function test(
  title: string,
  run: (visit: VisitStage, t: TestContext) => Promise<void>,
): void {
  void nodeTest(title, options, async (t) => {
    await using pages = new AsyncDisposableStack();
    const visits: Visit[] = [];
    await run(async (stage, hash, { stored, ...context } = {}) => {
      const visitor = pages.use(await openPage(stage, context));
      visits.push(visitor);
      if (hash !== undefined) await visitor.open(hash, stored);
      return visitor;
    }, t);
    for (const { faults } of visits) assert.deepEqual(faults, []);
  });
}

/** The size of a window, unless a test chooses another one. */
const usualSize = { width: 1440, height: 900 };

/** Pages that no test uses now, by their options. */
const idlePages = new WeakMap<Browser, Map<string, Page[]>>();

/**
 * Opens a page with the locale and time zone of Buenos Aires, in a browser profile of its own whose
 * storage is empty. A profile is used again by a later test, because a new one takes a new process.
 */
export async function openPage(
  stage: Stage,
  { isNew = false, ...context }: Omit<Beginning, 'stored'> = {},
): Promise<Visit & AsyncDisposable> {
  const { browser } = stage;
  const id = JSON.stringify(context);
  const idle = idlePages.get(browser) ?? new Map<string, Page[]>();
  idlePages.set(browser, idle);
  const page = (isNew ? undefined : idle.get(id)?.pop()) ?? (await newPage(browser, context));
  // The test before may have changed the size.
  await page.setViewportSize(context.viewport ?? usualSize);
  const asked: string[] = [];
  const faults: string[] = [];
  page.on('request', (request) => asked.push(request.url()));
  page.on('pageerror', (error) => faults.push(error.message));
  page.on('console', (message) => {
    // The console also has 4xx responses, which are not faults of the page.
    const isRefusal = message.text().startsWith('Failed to load resource');
    if (message.type() === 'error' && !isRefusal) faults.push(message.text());
  });
  const leave = async () => {
    // A request may be on its way through the test.
    await page.unrouteAll({ behavior: 'ignoreErrors' });
    if (isNew) return page.context().close();
    page.removeAllListeners();
    // Another tab of the profile would give its key to the page of a later test.
    const others = page
      .context()
      .pages()
      .filter((one) => one !== page);
    await Promise.all(others.map((one) => one.close()));
    await forget(page);
    await page.goto('about:blank');
    idle.set(id, [...(idle.get(id) ?? []), page]);
  };
  return {
    page,
    asked,
    faults,
    open: (hash, stored) => openIn(page, stage, hash, stored),
    [Symbol.asyncDispose]: leave,
  };
}

async function newPage(browser: Browser, context: BrowserContextOptions): Promise<Page> {
  const profile = await browser.newContext({
    locale: 'es-AR',
    timezoneId: 'America/Argentina/Buenos_Aires',
    viewport: usualSize,
    // A service worker would load all files of the page in every profile.
    serviceWorkers: 'block',
    ...context,
  });
  return profile.newPage();
}

/** Empties the storage of the site that the page shows. */
async function forget(page: Page): Promise<void> {
  if (!page.url().startsWith('http')) return;
  await page.evaluate(() => {
    localStorage.clear();
    sessionStorage.clear();
  });
}

/** Enters the key into the dialog. */
export async function enterKey(page: Page, key: string): Promise<void> {
  await page.getByRole('button', { name: 'Ingresar la clave' }).click();
  await page.getByRole('textbox', { name: 'Clave' }).fill(key);
  await page.getByRole('button', { name: 'Usar esta clave' }).click();
}

/**
 * Opens a place of the playground in a tab that remembers the key, with stored values. The key
 * survives a reload.
 */
export async function openIn(
  page: Page,
  { demo }: Stage,
  hash: string,
  stored: Stored = {},
): Promise<void> {
  // A page of the same site that runs no script gives access to the storage.
  await page.goto(`${demo.url}healthz`);
  const texts = Object.entries(stored).map(([name, value]) => [name, JSON.stringify(value)]);
  await page.evaluate(
    ([key, entries]) => {
      sessionStorage.setItem('pizarra.key /', key);
      for (const [name = '', text = ''] of entries) localStorage.setItem(name, text);
    },
    [demo.key, texts] as const,
  );
  await page.goto(`${demo.url}${hash}`);
}

/** The rows of the board, once their quotes are there. Rows of the stored members appear before those. */
export function boardRows(page: Page) {
  return page.locator('table.board[aria-busy="false"] tbody tr');
}

/** Waits until the board has `count` rows with their quotes. */
export async function hasRows(page: Page, count: number): Promise<void> {
  await boardRows(page)
    .nth(count - 1)
    .waitFor({ state: 'attached' });
  await boardRows(page).nth(count).waitFor({ state: 'detached' });
}

/** The tickers of the rows of the board, in order. */
export function tickersOn(page: Page): Promise<readonly string[]> {
  return page.locator('table.board [data-ticker]').allTextContents();
}
