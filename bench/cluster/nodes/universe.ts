import type { Universe } from '../../../src/domain/instruments/universe.ts';
import { makeUniverse } from '../../../test/support/market/make-universe.ts';

/** A universe of this many instruments. */
export function universeOf(instruments: number): Universe {
  return makeUniverse(Array.from({ length: instruments }, (_, at) => ({ ticker: `T${at}` })));
}
