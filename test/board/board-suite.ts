import assert from 'node:assert/strict';
import { test, type TestContext } from 'node:test';

import type { Board } from '../../src/board/board.ts';
import type { Quote } from '../../src/domain/quotes/quote.ts';
import { quoteOfStored, type StoredQuote } from '../../src/domain/quotes/stored-quote.ts';
import type { PlainDate } from '../../src/domain/calendar/plain-date.ts';
import type { Universe } from '../../src/domain/instruments/universe.ts';

/** A board under test, and the way by which the quotes of a writer reach it. */
export interface TestBoard extends AsyncDisposable {
  /** Publishes quotes that the writer has stored. */
  publish(quotes: readonly StoredQuote[]): void | Promise<void>;
  readonly board: Pick<Board, 'subscribe'>;
  /** Resolves when all published quotes have reached the board. */
  settled(): Promise<void>;
}

/** Opens a board to which nothing has been published. */
export type OpenBoard = (t: TestContext) => TestBoard | Promise<TestBoard>;

/** The guarantees of every way from a writer to a board. */
export function boardSuite(name: string, universe: Universe, open: OpenBoard): void {
  const stored = (position: number, version: number): StoredQuote => {
    const instrument = universe.instruments[position];
    assert.ok(instrument !== undefined);
    return {
      ticker: instrument.ticker,
      version,
      session: {
        sessionDate: '2026-11-20' as PlainDate,
        last: version,
        volume: null,
        openAt: null,
        isInHistory: false,
        historyClose: null,
      },
      references: {},
    };
  };
  const quote = (position: number, version: number): Quote => {
    const one = stored(position, version);
    return quoteOfStored(universe.get(one.ticker), one);
  };

  test(`${name}: whole quotes reach every subscriber, in order of version`, async (t) => {
    await using opened = await open(t);
    const heard: Quote[][] = [[], []];
    for (const list of heard) opened.board.subscribe((quotes) => list.push(...quotes));
    await opened.publish([stored(0, 1), stored(1, 2)]);
    await opened.publish([stored(2, 3)]);
    await opened.settled();
    for (const list of heard) {
      assert.deepEqual(list, [quote(0, 1), quote(1, 2), quote(2, 3)]);
    }
  });

  test(`${name}: the last quote of each instrument arrives, after any number of quotes`, async (t) => {
    await using opened = await open(t);
    const latest = new Map<string, number>();
    const versions: number[] = [];
    opened.board.subscribe((quotes) => {
      for (const { instrument, version } of quotes) {
        latest.set(instrument.ticker, version);
        versions.push(version);
      }
    });
    for (let version = 1; version <= 300; version += 1) {
      await opened.publish([stored(version % 3, version)]);
    }
    await opened.settled();
    assert.deepEqual(
      [...latest.values()].sort((a, b) => a - b),
      [298, 299, 300],
    );
    assert.deepEqual(
      versions,
      versions.toSorted((a, b) => a - b),
    );
  });

  test(`${name}: a quote that is not newer than the last one of its instrument does not arrive`, async (t) => {
    await using opened = await open(t);
    const heard: Quote[] = [];
    opened.board.subscribe((quotes) => heard.push(...quotes));
    await opened.publish([stored(0, 5)]);
    await opened.settled();
    await opened.publish([stored(0, 5)]);
    await opened.publish([stored(0, 4), stored(1, 6)]);
    await opened.settled();
    assert.deepEqual(versionsOf(heard), [5, 6]);
  });

  test(`${name}: a subscription that was disposed receives no further quotes`, async (t) => {
    await using opened = await open(t);
    const heard: number[] = [];
    const following = opened.board.subscribe((quotes) => heard.push(quotes.length));
    following[Symbol.dispose]();
    await opened.publish([stored(0, 1)]);
    await opened.settled();
    assert.deepEqual(heard, []);
  });
}

function versionsOf(quotes: readonly Quote[]): readonly number[] {
  return quotes.map(({ version }) => version);
}
