import { readOnlyFault } from './sqlite-fault.ts';
import type { WriteSide } from './write-side.ts';

/** Refuses every write, for a store that was opened for reading only. */
export function readOnlyWriteSide(path: string): WriteSide {
  const refuse = () => Promise.reject(readOnlyFault(path));
  return {
    history: { transaction: refuse },
    keys: { insert: refuse, change: refuse, rotate: refuse, noteUses: refuse },
    quotes: { commit: refuse },
    [Symbol.asyncDispose]: () => Promise.resolve(),
  };
}
