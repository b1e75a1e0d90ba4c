import { after, before } from 'node:test';

import type { Browser } from 'playwright-core';

import { noBrowser, startBrowser } from './browser.ts';
import { startDemonstration } from './demonstration.ts';
import type { Demonstration } from './demonstration.ts';

/** Options of every test that needs a browser. Without a browser the test is skipped with the reason. */
export const options = noBrowser === undefined ? {} : { skip: noBrowser };

/** A browser and a demonstration, which all tests of a file share. */
export interface Stage {
  readonly browser: Browser;
  readonly demo: Demonstration;
}

/**
 * Starts the stage before the first test of the calling file, and stops it after the last one.
 *
 * @param fill imports data instead of the demonstration, as for {@link startDemonstration}.
 */
export function setStage(fill?: (data: string) => Promise<string>): Stage {
  let set: Stage | undefined;
  before(async () => {
    if (noBrowser !== undefined) return;
    const [browser, demo] = await Promise.all([startBrowser(), startDemonstration(fill)]);
    set = { browser, demo };
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
