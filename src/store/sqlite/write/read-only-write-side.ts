import { readOnlyFault } from '../file/sqlite-fault.ts';
import type { WriteSide } from './write-side.ts';

/** A write side that refuses every write, for a store that was opened read-only. */
export function readOnlyWriteSide(path: string): WriteSide {
  const refuse = () => Promise.reject(readOnlyFault(path));
  return {
    history: { transaction: refuse },
    actions: { apply: refuse, restore: refuse },
    indices: { put: refuse, restore: refuse },
    terms: { record: refuse, restore: refuse },
    keys: { insert: refuse, change: refuse, rotate: refuse, restore: refuse, noteUses: refuse },
    quotes: { commit: refuse },
    bars: { tidyBars: refuse },
    [Symbol.asyncDispose]: () => Promise.resolve(),
  };
}
