/**
 * A program that a test kills. It writes generations of closes, each in one transaction over all
 * instruments, at an instant that is its number. It prints its progress: `begun`, `half` or `done`, and the generation.
 *
 * Usage: crash-writer.ts DIRECTORY FIRST-GENERATION
 */
import { openSqliteStore } from '../../src/store/sqlite/sqlite-store.ts';
import { generationOf, tickers } from './generations.ts';

const [directory = '', first = ''] = process.argv.slice(2);
const store = await openSqliteStore({ directory });

for (let generation = Number(first); ; generation += 1) {
  await store.history.transaction(
    async (transaction) => {
      for (const [index, ticker] of tickers.entries()) {
        if (index === 0) say('begun', generation);
        if (index === tickers.length / 2) say('half', generation);
        await transaction.put(ticker, generationOf(generation));
      }
    },
    { origin: 'import', now: () => generation },
  );
  say('done', generation);
}

function say(where: string, generation: number): void {
  process.stdout.write(`${where} ${generation}\n`);
}
