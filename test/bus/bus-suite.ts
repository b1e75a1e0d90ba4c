import assert from 'node:assert/strict';
import { test } from 'node:test';

import type { Bus } from '../../src/bus/bus.ts';
import { makeQuote } from '../../src/domain/quote.ts';
import type { Quote } from '../../src/domain/quote.ts';
import type { Universe } from '../../src/domain/universe.ts';
import type { PlainDate } from '../../src/domain/plain-date.ts';

/** A bus under test: the end where the writer publishes, and the end where readers subscribe. */
export interface TestBus extends AsyncDisposable {
  readonly writer: Pick<Bus, 'publish'>;
  readonly reader: Pick<Bus, 'subscribe'>;
  /** Resolves when all published quotes have reached the readers. */
  settled(): Promise<void>;
}

/** The guarantees of every bus. */
export function busSuite(
  name: string,
  universe: Universe,
  open: () => TestBus | Promise<TestBus>,
): void {
  const quote = (position: number, version: number): Quote => {
    const instrument = universe.instruments[position];
    assert.ok(instrument !== undefined);
    const session = { sessionDate: '2026-11-20' as PlainDate, last: version, volume: null };
    return makeQuote(instrument, { version, session, references: {} });
  };

  test(`${name}: whole quotes reach every subscriber, in order of version`, async () => {
    await using bus = await open();
    const heard: Quote[][] = [[], []];
    for (const list of heard) bus.reader.subscribe((quotes) => list.push(...quotes));
    bus.writer.publish([quote(0, 1), quote(1, 2)]);
    bus.writer.publish([quote(2, 3)]);
    await bus.settled();
    for (const list of heard) {
      assert.deepEqual(list, [quote(0, 1), quote(1, 2), quote(2, 3)]);
    }
  });

  test(`${name}: the last quote of each instrument arrives, after any number of quotes`, async () => {
    await using bus = await open();
    const latest = new Map<string, number>();
    const versions: number[] = [];
    bus.reader.subscribe((quotes) => {
      for (const { instrument, version } of quotes) {
        latest.set(instrument.ticker, version);
        versions.push(version);
      }
    });
    for (let version = 1; version <= 300; version += 1) {
      bus.writer.publish([quote(version % 3, version)]);
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

  test(`${name}: a subscription that was disposed receives no further quotes`, async () => {
    await using bus = await open();
    const heard: number[] = [];
    const following = bus.reader.subscribe((quotes) => heard.push(quotes.length));
    following[Symbol.dispose]();
    bus.writer.publish([quote(0, 1)]);
    await bus.settled();
    assert.deepEqual(heard, []);
  });
}
