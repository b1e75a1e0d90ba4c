import { after, before } from 'node:test';

import type { Browser } from 'playwright-core';

import { noBrowser, startBrowser } from './browser.ts';
import { startDemonstration } from './demonstration.ts';
import type { Demonstration } from './demonstration.ts';

/** Options of every test that needs a browser: without one it skips, and says so. */
export const options = noBrowser === undefined ? {} : { skip: noBrowser };

/** A browser and a demonstration for all tests of a file, from before the first to after the last. */
export interface Stage {
  readonly browser: Browser;
  readonly demo: Demonstration;
}

/**
 * Sets the stage for the file that calls this; its members are there while its tests run.
 *
 * @param fill puts data in place of the demonstration, as for {@link startDemonstration}.
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
