import type { TestContext } from 'node:test';

import type { StorePlace as Place } from '../../src/store/contract/place.ts';
import type { Store } from '../../src/store/contract/store.ts';

/** The location of a store. It may be opened several times, as by several processes. */
export interface StorePlace {
  /** Opens the store, created if need be, with the right to commit quotes. The caller disposes it. */
  open(): Promise<Store>;
}

/** Creates an empty location, which is removed after the test. */
export type MakePlace = (t: TestContext) => Promise<StorePlace>;

/** Creates the place of an installation that does not exist yet. It is removed after the test. */
export type MakeInstallation = (t: TestContext) => Promise<{
  /** The place, as another process of the same installation sees it. The caller disposes it. */
  readonly another: () => Place;
}>;
