import type { TestContext } from 'node:test';

import type { Store } from '../../src/store/store.ts';

/** The location of a store. It may be opened several times, as by several processes. */
export interface StorePlace {
  /** Opens the store. The caller disposes it. */
  open(): Promise<Store>;
}

/** Creates an empty location, which is removed after the test. */
export type MakePlace = (t: TestContext) => Promise<StorePlace>;
