import { after, before } from 'node:test';

import type { Browser } from 'playwright-core';

import { noBrowser, startBrowser } from './browser.ts';
import { startDemonstration } from './demonstration.ts';
import type { Demonstration } from './demonstration.ts';

/** Options of every test that needs a browser. Without a browser the test is skipped with the reason. */
export const options = noBrowser === undefined ? {} : { skip: noBrowser };

/** A browser and a demonstration. */
export interface Stage {
  readonly browser: Browser;
  readonly demo: Demonstration;
}

/** The browser and the demonstration that the files in this process share. */
let sharedBrowser: Promise<Browser> | undefined;
let sharedDemo: Promise<Demonstration> | undefined;

/**
 * Starts the stage before the first test of the calling file, and stops it after the last one. Files that
 * run in one process share the browser. They share the demonstration too, unless they import data.
 *
 * @param fill imports data instead of the demonstration, as for {@link startDemonstration}.
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
    if (set === undefined) throw new Error('the stage is only available while tests run');
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
