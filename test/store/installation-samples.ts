import * as fc from 'fast-check';

import type { ApiKeyRecord } from '../../src/domain/access/api-key.ts';
import type { CorporateAction } from '../../src/domain/history/corporate-action.ts';
import type { DailyClose } from '../../src/domain/history/daily-close.ts';
import { indexNames } from '../../src/domain/indices/index-name.ts';
import type { IndexValue } from '../../src/domain/indices/index-value.ts';
import type { KeyEvent } from '../../src/domain/access/key-change.ts';
import type { Bar } from '../../src/domain/quotes/minute-bar.ts';
import type { EpochDay, PlainDate } from '../../src/domain/calendar/plain-date.ts';
import type { StoredQuote } from '../../src/domain/quotes/stored-quote.ts';
import type { Ticker } from '../../src/domain/instruments/ticker.ts';
import type { Store } from '../../src/store/contract/store.ts';
import { changeAt, testChange, testStamp } from '../support/market/test-change.ts';

/** Everything that a store contains. */
export interface Installation {
  readonly instruments: readonly {
    readonly ticker: Ticker;
    readonly closes: readonly DailyClose[];
    readonly bars: readonly Bar[];
    readonly quote: StoredQuote;
  }[];
  readonly actions: readonly CorporateAction[];
  /** Stored one after the other, so that later values replace earlier ones. */
  readonly indices: readonly IndexValue[];
  readonly keys: readonly ApiKeyRecord[];
  readonly events: readonly KeyEvent[];
}

const tickers = ['AL30', 'DOLAR MEP', 'BTC/USD', 'ÑANDÚ', 'ñandú', 'zz', 'Zz', "O'X"] as const;

/** Prices to the last bit, tiny and huge ones included. */
const price = fc.double({ min: -1e12, max: 1e15, noNaN: true }).map((value) => value + 0);
const size = fc.oneof(fc.constant(null), fc.double({ min: 0, max: 1e15, noNaN: true }));
const optional = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: undefined });
const day = fc.integer({ min: 0, max: 30_000 }) as unknown as fc.Arbitrary<EpochDay>;
const instant = fc.integer({ min: 0, max: 4_102_444_800_000 });
const name = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 12 }).filter(isStorable);

const closes = fc.uniqueArray(
  fc
    .record({
      day,
      close: price,
      volume: size,
      open: optional(price),
      high: optional(price),
      low: optional(price),
      source: optional(fc.constantFrom('one', 'sesión', 'session:x')),
    })
    .map((parts) => withoutUndefined(parts) as DailyClose),
  { selector: (one) => one.day, maxLength: 12 },
);

const bars = fc.uniqueArray(
  fc.record({
    day: fc.constant(20_577 as EpochDay),
    minute: fc.integer({ min: 29_632_000, max: 29_633_000 }),
    open: price,
    high: price,
    low: price,
    last: price,
    volume: size,
  }),
  { selector: (one) => one.minute, maxLength: 12 },
);

const indices: fc.Arbitrary<readonly IndexValue[]> = fc.array(
  fc.record({
    index: fc.constantFrom(...indexNames),
    day: fc.integer({ min: 20_000, max: 20_002 }) as unknown as fc.Arbitrary<EpochDay>,
    // Every index may have these values.
    value: fc.double({ min: 1e-9, max: 300, noNaN: true }),
    source: name,
  }),
  { maxLength: 12 },
);

const session = fc
  .record({
    sessionDate: fc.constantFrom('2026-11-19', '2026-11-20') as unknown as fc.Arbitrary<PlainDate>,
    asOf: optional(instant),
    last: price,
    open: optional(price),
    volume: size,
    openAt: fc.oneof(fc.constant(null), instant),
    isInHistory: fc.boolean(),
    historyClose: fc.oneof(fc.constant(null), price),
    sourcePreviousClose: optional(price),
  })
  .map((parts) => withoutUndefined(parts) as StoredQuote['session']);

const keyState = fc
  .record({
    name,
    scope: fc.constantFrom('read', 'ingest', 'metrics'),
    createdAt: instant,
    expiresAt: optional(instant),
    disabledAt: optional(instant),
    revokedAt: optional(instant),
    lastUsedAt: optional(instant),
    plan: optional(fc.constantFrom('free', 'desk')),
    limit: optional(
      fc.constantFrom('unlimited', { requests: 60, seconds: 60, burst: 20 } as const),
    ),
    labels: optional(fc.constantFrom({ team: 'desk' }, { a: '1', b: 'ñ' })),
  })
  .map((parts) => withoutUndefined(parts) as Omit<ApiKeyRecord, 'id' | 'sha256'>);

const events: fc.Arbitrary<readonly KeyEvent[]> = fc.array(
  fc.record({
    at: instant,
    who: name,
    what: fc.constantFrom('create', 'revoke', 'set-plan'),
    keyId: fc.constantFrom('k0', 'k1'),
    detail: fc.string({ unit: 'grapheme', maxLength: 12 }).filter(isStorable),
  }),
  { maxLength: 5 },
);

/** Whole installations, with names and numbers that are hard to keep. */
export const installations: fc.Arbitrary<Installation> = fc
  .record({
    named: fc.uniqueArray(fc.constantFrom(...tickers), { maxLength: 5 }),
    parts: fc.array(fc.tuple(closes, bars, session), { minLength: 5, maxLength: 5 }),
    versions: fc.uniqueArray(fc.integer({ min: 1, max: 2 ** 52 }), { minLength: 5, maxLength: 5 }),
    splits: fc.uniqueArray(day, { maxLength: 3 }),
    indices,
    keys: fc.array(keyState, { maxLength: 3 }),
    events,
  })
  .map(({ named, parts, versions, splits, indices: ofIndices, keys, events: lines }) => ({
    instruments: named.map((text, at) => {
      const ticker = text as Ticker;
      const [ofDays, ofMinutes, live] = parts[at] ?? [[], [], undefined];
      if (live === undefined) throw new Error('there are five parts');
      return {
        ticker,
        closes: ofDays.toSorted((a, b) => a.day - b.day),
        bars: ofMinutes.toSorted((a, b) => a.minute - b.minute),
        quote: { ticker, version: versions[at] ?? 1, session: live, references: {} },
      };
    }),
    actions: named.slice(0, 1).flatMap((text) =>
      splits.map((exDay) => ({
        ticker: text as Ticker,
        exDay,
        type: 'split' as const,
        factor: 10,
        source: 'ñ',
      })),
    ),
    indices: ofIndices,
    keys: keys.map((state, at) => ({ ...state, id: `k${at}`, sha256: `${at}`.repeat(64) })),
    events: keys.length === 0 ? [] : lines,
  }));

/** Stores an installation. */
export async function storeInstallation(
  store: Store,
  { instruments, actions, indices: ofIndices, keys, events: lines }: Installation,
): Promise<void> {
  await store.history.transaction(async (transaction) => {
    for (const { ticker, closes: ofDays } of instruments) await transaction.put(ticker, ofDays);
  }, testStamp);
  await correct(store, instruments[0]);
  await store.actions.apply({ put: actions }, testChange);
  await store.actions.apply({ remove: actions }, { at: testChange.at + 1, origin: 'remove' });
  await store.actions.apply({ put: actions }, { at: testChange.at + 2, origin: 'revert' });
  const terms = instruments.map(({ ticker }) => ({ ticker, series: [], values: { law: 'ñ' } }));
  await store.terms.apply({ put: terms }, testChange);
  await store.terms.apply(
    { remove: terms.slice(0, 1) },
    { at: testChange.at + 1, origin: 'universe' },
  );
  for (const [at, one] of ofIndices.entries())
    await store.indices.apply({ put: [one] }, changeAt(at));
  if (keys.length > 0) await store.keys.restore({ keys, events: lines });
  await store.quotes.commit({
    quotes: instruments.map(({ quote }) => quote),
    closes: [],
    bars: instruments.flatMap(({ ticker, bars: ofMinutes }) =>
      ofMinutes.map((bar) => ({ ticker, bar })),
    ),
  });
}

/** Replaces the closes of an instrument, and puts them back: twice as many are in the memory of changes. */
async function correct(
  store: Store,
  instrument: Installation['instruments'][number] | undefined,
): Promise<void> {
  if (instrument === undefined) return;
  const { ticker, closes: ofDays } = instrument;
  const others = ofDays.map((one) => ({ ...one, close: one.close / 2, source: 'mañana' }));
  for (const [later, rows] of [others, ofDays].entries()) {
    await store.history.transaction((transaction) => transaction.put(ticker, rows), {
      origin: 'fetch',
      now: () => testChange.at + later,
    });
  }
}

/** NUL cannot be stored as text in PostgreSQL, and lone surrogates are no Unicode text. */
function isStorable(text: string): boolean {
  return !text.includes('\0') && text.isWellFormed();
}

function withoutUndefined(value: object): object {
  return Object.fromEntries(Object.entries(value).filter(([, one]) => one !== undefined));
}
