import { after, before } from 'node:test';

import type { Browser } from 'playwright-core';

import { noBrowser, startBrowser } from './browser.ts';
import { startDemonstration } from './demonstration.ts';
import type { Demonstration } from './demonstration.ts';

/** Options of every test that needs a browser: without one it skips, and says so. */
export const options = noBrowser === undefined ? {} : { skip: noBrowser };

/** A browser and a demonstration. */
export interface Stage {
  readonly browser: Browser;
  readonly demo: Demonstration;
}

/** The browser of all files that run in this process, and the demonstration of those without data. */
let sharedBrowser: Promise<Browser> | undefined;
let sharedDemo: Promise<Demonstration> | undefined;

/**
 * Sets the stage for the file that calls this; its members exist while its tests run. Files that run in one
 * process share the browser, and the demonstration unless they fill in data of their own.
 *
 * @param fill puts data in place of the demonstration, as for {@link startDemonstration}.
 */
export function setStage(fill?: (data: string) => Promise<string>): Stage {
  let set: Stage | undefined;
  before(async () => {
    if (noBrowser !== undefined) return;
    sharedBrowser ??= startBrowser();
    const demo =
      fill === undefined ? (sharedDemo ??= startDemonstration()) : startDemonstration(fill);
    set = { browser: await sharedBrowser, demo: await demo };
  });
  after(async () => {
    await set?.browser.close();
    await set?.demo[Symbol.asyncDispose]();
  });
  const onStage = (): Stage => {
    if (set === undefined) throw new Error('the stage is not set');
    return set;
  };
  return {
    get browser() {
      return onStage().browser;
    },
    get demo() {
      return onStage().demo;
    },
  };
}
