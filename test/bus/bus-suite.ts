import assert from 'node:assert/strict';
import { test, type TestContext } from 'node:test';

import type { Bus } from '../../src/bus/bus.ts';
import type { Quote } from '../../src/domain/quotes/quote.ts';
import { quoteOfStored, type StoredQuote } from '../../src/domain/quotes/stored-quote.ts';
import type { PlainDate } from '../../src/domain/calendar/plain-date.ts';
import type { Universe } from '../../src/domain/instruments/universe.ts';

/** A bus under test: the end where the writer publishes, and the end where readers subscribe. */
export interface TestBus extends AsyncDisposable {
  /** Publishes quotes that the writer has stored. */
  publish(quotes: readonly StoredQuote[]): void | Promise<void>;
  readonly reader: Pick<Bus, 'subscribe'>;
  /** Resolves when all published quotes have reached the readers. */
  settled(): Promise<void>;
}

/** Opens a bus on which nothing has been published. */
export type OpenBus = (t: TestContext) => TestBus | Promise<TestBus>;

/** Makes the writing end of a bus that carries whole quotes accept stored ones. */
export function publishStored(
  bus: Pick<Bus, 'publish'>,
  universe: Universe,
): (quotes: readonly StoredQuote[]) => void {
  return (quotes) => bus.publish(quotes.map((one) => quoteOfStored(universe.get(one.ticker), one)));
}

/** The guarantees of every bus. */
export function busSuite(name: string, universe: Universe, open: OpenBus): void {
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
    await using bus = await open(t);
    const heard: Quote[][] = [[], []];
    for (const list of heard) bus.reader.subscribe((quotes) => list.push(...quotes));
    await bus.publish([stored(0, 1), stored(1, 2)]);
    await bus.publish([stored(2, 3)]);
    await bus.settled();
    for (const list of heard) {
      assert.deepEqual(list, [quote(0, 1), quote(1, 2), quote(2, 3)]);
    }
  });

  test(`${name}: the last quote of each instrument arrives, after any number of quotes`, async (t) => {
    await using bus = await open(t);
    const latest = new Map<string, number>();
    const versions: number[] = [];
    bus.reader.subscribe((quotes) => {
      for (const { instrument, version } of quotes) {
        latest.set(instrument.ticker, version);
        versions.push(version);
      }
    });
    for (let version = 1; version <= 300; version += 1) {
      await bus.publish([stored(version % 3, version)]);
    }
    await bus.settled();
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
    await using bus = await open(t);
    const heard: Quote[] = [];
    bus.reader.subscribe((quotes) => heard.push(...quotes));
    await bus.publish([stored(0, 5)]);
    await bus.settled();
    await bus.publish([stored(0, 5)]);
    await bus.publish([stored(0, 4), stored(1, 6)]);
    await bus.settled();
    assert.deepEqual(versionsOf(heard), [5, 6]);
  });

  test(`${name}: a subscription that was disposed receives no further quotes`, async (t) => {
    await using bus = await open(t);
    const heard: number[] = [];
    const following = bus.reader.subscribe((quotes) => heard.push(quotes.length));
    following[Symbol.dispose]();
    await bus.publish([stored(0, 1)]);
    await bus.settled();
    assert.deepEqual(heard, []);
  });
}

function versionsOf(quotes: readonly Quote[]): readonly number[] {
  return quotes.map(({ version }) => version);
}
