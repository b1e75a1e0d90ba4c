import type { DailyClose } from '../../../src/domain/history/daily-close.ts';
import { toEpochDay, type PlainDate } from '../../../src/domain/calendar/plain-date.ts';
import { makeQuote, type Quote, type SessionState } from '../../../src/domain/quotes/quote.ts';
import type { ReferenceCloses } from '../../../src/domain/history/reference-closes.ts';
import type { Ticker } from '../../../src/domain/instruments/ticker.ts';
import { closeOn } from './close-on.ts';
import { makeUniverse } from './make-universe.ts';

/** At least one instrument in every panel, and one of each kind that the responses treat differently. */
export const sampleUniverse = makeUniverse([
  { ticker: 'YPFD', panels: ['LID', 'LIDGEN'] },
  { ticker: 'GGAL', panels: ['LID', 'LIDGEN'] },
  // This instrument has no quote.
  { ticker: 'NUEVA', panels: ['LID', 'LIDGEN'] },
  { ticker: 'COME', panels: ['GEN', 'LIDGEN'] },
  { ticker: 'GD30', kind: 'bond', panels: ['BONOS', 'BON'] },
  { ticker: 'AL30', kind: 'bond', panels: ['BONOS', 'BON'] },
  { ticker: 'SPY_US', kind: 'etf', market: 'NYSE', panels: ['ETF'] },
  { ticker: 'BABA_US', kind: 'adr', market: 'NYSE', panels: ['ADR'] },
  { ticker: 'GGAL_US', kind: 'adr', market: 'NYSE', panels: ['ADRARG'] },
  { ticker: 'AAPL_US', market: 'NYSE', panels: ['VARIAS'] },
  { ticker: 'AAPL', kind: 'cedear', panels: ['CED'] },
  { ticker: 'DOLAR MEP', kind: 'exchange-rate', panels: ['IND'] },
  { ticker: 'DOLAR/EURO', kind: 'exchange-rate', panels: ['IND'] },
  { ticker: 'CAUCION 1D', kind: 'interest-rate', decimals: 2, panels: ['IND'] },
  { ticker: 'MEP-CCL', kind: 'spread', panels: ['IND'] },
  { ticker: 'RIESGO PAIS', kind: 'country-risk', panels: ['IND'] },
  { ticker: 'MERVAL', kind: 'index', panels: ['IND'] },
  { ticker: 'BTC', kind: 'crypto', market: 'CRIPTO' },
]);

const sessionDate = '2026-11-20' as PlainDate;
const asOf = Date.parse('2026-11-20T19:59:58.750Z');

type Bases = Readonly<Partial<Record<keyof ReferenceCloses, number>>>;

const sessions: readonly (readonly [string, Partial<SessionState>, Bases])[] = [
  ['YPFD', { last: 41_250, volume: 0 }, { previous: 41_250 }],
  [
    'GGAL',
    { last: 7410, open: 7330, low: 7275, high: 7450, volume: 2_154_321, asOf },
    { previous: 7310, monthBase: 7110, yearBase: 6565 },
  ],
  ['COME', { last: 88.35, volume: 10 }, {}],
  ['GD30', { last: 93_100, volume: 5.5, asOf }, { previous: 93_000.5 }],
  ['AL30', { last: 91_250.5, volume: 98_231_004, asOf }, { previous: 91_480, yearBase: 77_300 }],
  ['SPY_US', { last: 702.125, volume: 1 }, { previous: 700 }],
  ['BABA_US', { last: 90, volume: 1 }, {}],
  ['GGAL_US', { last: 50, volume: 1 }, {}],
  ['AAPL_US', { last: 300, volume: 1 }, {}],
  ['AAPL', { last: 22_000, volume: 1 }, {}],
  ['DOLAR MEP', { last: 1502.349_96 }, { previous: 1500.55 }],
  ['DOLAR/EURO', { last: 1.16 }, {}],
  ['CAUCION 1D', { last: 31.5 }, { previous: 30.255 }],
  ['MEP-CCL', { last: -0.4 }, { previous: 0 }],
  ['RIESGO PAIS', { last: 573 }, { previous: 580, monthBase: 600 }],
  ['MERVAL', { last: 2_310_450.12 }, { previous: 0 }],
  ['BTC', { last: 0.000_000_123_456, volume: 0.000_000_25 }, {}],
];

const baseDates = {
  previous: '2026-11-19',
  monthBase: '2026-10-30',
  yearBase: '2025-12-30',
} as const satisfies Record<keyof ReferenceCloses, string>;

function referencesOf(bases: Bases): ReferenceCloses {
  const names = ['previous', 'monthBase', 'yearBase'] as const;
  return Object.fromEntries(
    names.flatMap((name) => {
      const base = bases[name];
      return base === undefined ? [] : [[name, closeOn(baseDates[name], base)]];
    }),
  );
}

/** A quote of every instrument of the sample universe except NUEVA. */
export const sampleQuotes: readonly Quote[] = sessions.map(([ticker, session, bases], index) =>
  makeQuote(sampleUniverse.get(ticker as Ticker), {
    version: index + 1,
    session: { sessionDate, last: Number.NaN, volume: null, ...session },
    references: referencesOf(bases),
  }),
);

/** A later quote of an instrument of the sample universe, with a price and without references. */
export function sampleQuote(ticker: string, version: number, last: number): Quote {
  const session = { ...sampleQuotes[0], sessionDate, last, volume: 1 };
  return makeQuote(sampleUniverse.get(ticker as Ticker), { version, session, references: {} });
}

/** Closes around a leap day and the end of a year. */
export const sampleCloses: ReadonlyMap<Ticker, readonly DailyClose[]> = new Map([
  [
    'AL30' as Ticker,
    [
      close('2023-12-29', 36_100, 1_000_000.5),
      close('2024-02-28', 46_200.12345, 0),
      close('2024-02-29', 46_950, 2_345_678),
      close('2024-03-01', 47_000, null),
    ],
  ],
  ['RIESGO PAIS' as Ticker, [close('2024-02-29', 1687, null)]],
]);

function close(date: string, value: number, volume: number | null): DailyClose {
  return { day: toEpochDay(date as PlainDate), close: value, volume };
}
