import { testBars } from './bar-suite.ts';
import { testHistory } from './history-suite.ts';
import { testKeys } from './key-suite.ts';
import { testMemory } from './memory-suite.ts';
import { testQuotes } from './quote-suite.ts';
import { testRevisions } from './revision-suite.ts';
import type { MakePlace } from '../store-place.ts';
import { testTransactions } from './transaction-suite.ts';
import { testVersioned } from './versioned-suite.ts';

/** Tests one store against all contracts of `src/store/`. */
export function testStore(name: string, makePlace: MakePlace): void {
  testHistory(name, makePlace);
  testTransactions(name, makePlace);
  testRevisions(name, makePlace);
  testVersioned(name, makePlace);
  testMemory(name, makePlace);
  testKeys(name, makePlace);
  testQuotes(name, makePlace);
  testBars(name, makePlace);
}
