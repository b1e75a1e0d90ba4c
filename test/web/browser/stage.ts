import { after, before } from 'node:test';

import type { Browser } from 'playwright-core';

import { noBrowser, startBrowser } from './browser.ts';
import { startDemonstration, type Demonstration } from './demonstration.ts';

/** Options of every test that needs a browser. Without a browser the test is skipped with the reason. */
export const options = noBrowser === undefined ? {} : { skip: noBrowser };

/** A browser and a demonstration. */
export interface Stage {
  readonly browser: Browser;
  readonly demo: Demonstration;
}

/** The browser and the services that the files in this process share. */
let sharedBrowser: Promise<Browser> | undefined;
const sharedServices = new Map<Fill | undefined, Promise<Demonstration>>();

/** Imports data into a data directory, and may return further flags of the service. */
export type Fill = (data: string) => Promise<readonly string[] | undefined>;

/**
 * Starts the stage before the first test of the calling file, and stops it after the last one. Files that
 * run in one process share the browser, the demonstration, and the service with the same data.
 *
 * @param fill imports data instead of the demonstration, as for {@link startDemonstration}.
 */
export function setStage(fill?: Fill): Stage {
  let set: Stage | undefined;
  before(async () => {
    if (noBrowser !== undefined) return;
    sharedBrowser ??= startBrowser();
    const demo = sharedServices.get(fill) ?? startDemonstration(fill);
    sharedServices.set(fill, demo);
    set = { browser: await sharedBrowser, demo: await demo };
  });
  after(async () => {
    // One may have started although the other did not.
    const demo = await sharedServices.get(fill)?.catch(() => undefined);
    await demo?.[Symbol.asyncDispose]();
    const browser = await sharedBrowser?.catch(() => undefined);
    await browser?.close();
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
