import assert from 'node:assert/strict';
import { describe, test, type TestContext } from 'node:test';

import { onServer } from '../../../../test/support/postgres/on-server.ts';
import { postgresPlace, sharedPostgres } from '../../../../test/support/postgres/postgres-place.ts';
import { lacksPostgres } from '../../../../test/support/postgres/postgres-programs.ts';
import { storedQuote } from '../../../../test/support/market/stored-quote.ts';
import type { StoredQuote } from '../../../domain/quotes/stored-quote.ts';
import type { Ticker } from '../../../domain/instruments/ticker.ts';
import type { Store } from '../../contract/store.ts';

const instruments = 50;

const ticker = (at: number): Ticker => `T${at % instruments}` as Ticker;

/** A store that is written, and one of another process that reads. */
async function pair(t: TestContext): Promise<{ writer: Store; reader: Store; schema: string }> {
  const place = await postgresPlace(t);
  const writer = await place.open({ mode: 'create' });
  const reader = await place.open({ mode: 'read' });
  // After-hooks run in the order of their registration, and that of the place empties its tables.
  t.after(async () => {
    await writer[Symbol.asyncDispose]();
    await reader[Symbol.asyncDispose]();
  });
  return { writer, reader, schema: /schema (\S+)$/.exec(place.name)?.[1] ?? '' };
}

async function commit(store: Store, quotes: readonly StoredQuote[]): Promise<void> {
  await store.quotes.commit({ quotes, closes: [] });
}

/** Whole numbers below a maximum, the same in each run. */
function numbers(): (max: number) => number {
  let state = 7;
  return (max) => {
    state = (state * 48_271) % 2_147_483_647;
    return state % max;
  };
}

describe('the quotes of a store in PostgreSQL', { skip: lacksPostgres() }, () => {
  test('a pull gets what a read of the whole table gets, from every version', async (t) => {
    const { writer, reader } = await pair(t);
    const below = numbers();
    const latest = new Map<Ticker, StoredQuote>();
    let version = 0;
    for (let round = 0; round < 1_300; round += 1) {
      const quotes = new Map<Ticker, StoredQuote>();
      for (let changes = below(4); changes >= 0; changes -= 1) {
        version += 1;
        const changed = ticker(below(instruments));
        quotes.set(changed, storedQuote(changed, version));
      }
      // The state of a quote may be stored again without a new version.
      const again = latest.get(ticker(below(instruments)));
      if (again !== undefined && !quotes.has(again.ticker)) quotes.set(again.ticker, again);
      for (const one of quotes.values()) latest.set(one.ticker, one);
      await commit(writer, [...quotes.values()]);
      if (round % 50 !== 0 && round < 1_290) continue;
      for (const from of [-1, 0, version - below(12), below(version), version]) {
        const expected = [...latest.values()]
          .filter((one) => one.version > from)
          .sort((a, b) => a.version - b.version);
        assert.deepEqual(await reader.quotes.readNewer(from), expected, `from ${from}`);
      }
    }
  });

  test('a reader that pulls during the commits misses none', async (t) => {
    const { writer, reader } = await pair(t);
    const seen = new Map<Ticker, number>();
    let position = 0;
    const pull = async (): Promise<void> => {
      for (const one of await reader.quotes.readNewer(position)) {
        assert.ok(one.version > (seen.get(one.ticker) ?? 0));
        seen.set(one.ticker, one.version);
        position = one.version;
      }
    };
    const over = new AbortController();
    const pulling = (async () => {
      for (let pulls = 0; pulls < 1_000_000 && !over.signal.aborted; pulls += 1) await pull();
      await pull();
    })();
    for (let at = 1; at <= 600; at += 1) {
      await commit(writer, [storedQuote(ticker(at * 7), at)]);
    }
    over.abort();
    await pulling;
    const all = await writer.quotes.readAll();
    assert.deepEqual(seen, new Map(all.map((one) => [one.ticker, one.version])));
  });

  test('the notes of changes are trimmed, and a reader with an older version gets everything', async (t) => {
    const { writer, reader, schema } = await pair(t);
    const server = await sharedPostgres();
    for (let at = 1; at <= 2_100; at += 1) {
      await commit(writer, [storedQuote(ticker(at === 1 ? 0 : 1 + (at % (instruments - 1))), at)]);
    }
    const notes = `SELECT count(*)::int, min(version)::int FROM ${schema}.quote_changes`;
    const [[count, first] = []] = await onServer(server, notes);
    assert.ok(Number(count) >= 512 && Number(count) <= 1_100, String(count));
    const from = (version: number) => reader.quotes.readNewer(version).then(({ length }) => length);
    assert.equal(await from(0), 50);
    assert.equal(await from(Number(first) - 1), 49);
    assert.equal(await from(2_099), 1);
  });
});
