import type { TestContext } from 'node:test';

import type { Store } from '../../src/store/store.ts';

/** One place to keep things, which may be opened several times: as several processes would. */
export interface StorePlace {
  /** The caller disposes what it opens. */
  open(): Promise<Store>;
}

/** Makes a new, empty place that goes with the test. */
export type MakePlace = (t: TestContext) => Promise<StorePlace>;
