import assert from 'node:assert/strict';
import { test } from 'node:test';
import { deserialize, serialize } from 'node:v8';

import * as fc from 'fast-check';

import { sampleUniverse } from '../../../test/support/market/sample-market.ts';
import { bookFieldNames } from '../../domain/quotes/quote-fields.ts';
import { makeQuote, type Quote } from '../../domain/quotes/quote.ts';
import type { EpochDay, PlainDate } from '../../domain/calendar/plain-date.ts';
import { LocalBus } from '../local/local-bus.ts';
import { packQuote, unpackQuote, type PackedQuote } from './packed-quotes.ts';
import { QuoteSender } from './quote-sender.ts';
import { closeOn } from '../../../test/support/market/close-on.ts';

const { instruments } = sampleUniverse;

function quoteOf(position: number, version: number): Quote {
  const instrument = instruments[position];
  assert.ok(instrument !== undefined);
  const session = { sessionDate: '2026-11-20' as PlainDate, last: version, volume: null };
  return makeQuote(instrument, { version, session, references: {} });
}

const number = fc.double({ noNaN: true });
const known = fc.option(number, { nil: undefined });
const anyBook = fc.record(
  { at: fc.nat(), ...Object.fromEntries(bookFieldNames.map((field) => [field, known])) },
  { noNullPrototype: true },
);
const anyQuote = fc
  .record({
    position: fc.nat({ max: instruments.length - 1 }),
    version: fc.nat(),
    asOf: fc.option(fc.nat(), { nil: undefined }),
    last: number,
    open: fc.option(number, { nil: undefined }),
    high: fc.option(number, { nil: undefined }),
    low: fc.option(number, { nil: undefined }),
    volume: fc.option(number),
    previous: fc.option(number, { nil: undefined }),
    plainVersion: fc.option(fc.nat(), { nil: undefined }),
    book: fc.option(anyBook, { nil: undefined }),
    source: fc.option(
      fc.record(
        {
          name: fc.option(fc.string(), { nil: undefined }),
          delayMinutes: fc.option(fc.nat(), { nil: undefined }),
          via: fc.constant(undefined),
        },
        { noNullPrototype: true },
      ),
      { nil: undefined },
    ),
    setAside: fc.option(
      fc.record(
        {
          day: fc.integer().map((day) => day as EpochDay),
          close: number,
          sessionDate: fc.constant('2026-11-20' as PlainDate),
          comparable: number,
          price: number,
          at: fc.nat(),
          isConfirmed: fc.boolean(),
        },
        { noNullPrototype: true },
      ),
      { nil: undefined },
    ),
    bar: fc.option(
      fc.record(
        {
          day: fc.integer().map((day) => day as EpochDay),
          minute: fc.integer(),
          open: number,
          high: number,
          low: number,
          last: number,
          volume: fc.option(number),
        },
        { noNullPrototype: true },
      ),
      { nil: undefined },
    ),
  })
  .map(({ position, version, plainVersion, previous, source, bar, setAside, ...state }) => {
    const instrument = instruments[position];
    assert.ok(instrument !== undefined);
    const references =
      previous === undefined
        ? {}
        : {
            previous: closeOn('2026-11-19', previous),
            monthBase: closeOn('2026-10-30', previous / 2),
          };
    const session = { ...state, sessionDate: '2026-11-20' as PlainDate };
    const versions = { version, plainVersion };
    return makeQuote(instrument, { ...versions, session, references, source, bar, setAside });
  });

test('packing, serializing and unpacking a quote preserves it to the last bit', () => {
  fc.assert(
    fc.property(anyQuote, (quote) => {
      const packed = deserialize(serialize(packQuote(quote))) as PackedQuote;
      assert.deepEqual(unpackQuote(packed, sampleUniverse), quote);
    }),
  );
});

test('quotes published while a message is under way are conflated into the next message', () => {
  const bus = new LocalBus();
  const sent: (readonly PackedQuote[])[] = [];
  using sender = new QuoteSender(bus, (quotes) => sent.push(quotes));
  bus.publish([quoteOf(0, 1)]);
  for (let version = 2; version <= 1_001; version += 1)
    bus.publish([quoteOf(version % 2, version)]);
  assert.equal(sent.length, 1);
  assert.equal(sender.backlog, 2);
  sender.taken();
  assert.deepEqual(
    sent[1]?.map(({ version }) => version),
    [1_000, 1_001],
  );
  assert.equal(sender.backlog, 0);
  sender.taken();
  assert.equal(sent.length, 2);
});

test('a sender that starts with a message under way sends nothing until that is acknowledged', () => {
  const bus = new LocalBus();
  const sent: (readonly PackedQuote[])[] = [];
  using sender = new QuoteSender(bus, (quotes) => sent.push(quotes), { isUnderWay: true });
  bus.publish([quoteOf(0, 1)]);
  assert.equal(sent.length, 0);
  sender.taken();
  assert.equal(sent.length, 1);
});
