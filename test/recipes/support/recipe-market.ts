import { resolve } from 'node:path';

import { SessionCalendar } from '../../../src/domain/calendar/session-calendar.ts';
import { addDays, toEpochDay, type PlainDate } from '../../../src/domain/calendar/plain-date.ts';
import { CorporateActions } from '../../../src/domain/history/corporate-actions.ts';
import type { DailyClose } from '../../../src/domain/history/daily-close.ts';
import { instrumentKinds, type Instrument } from '../../../src/domain/instruments/instrument.ts';
import type { Ticker } from '../../../src/domain/instruments/ticker.ts';
import type { Universe } from '../../../src/domain/instruments/universe.ts';
import { makeQuote, type Quote } from '../../../src/domain/quotes/quote.ts';
import { loadUniverse } from '../../../src/universe/load-universe.ts';
import { closeOn } from '../../support/market/close-on.ts';

/** The session whose quotes the recipes read, the one before it, and the first one that has closes. */
export const sessionDate = '2026-11-20' as PlainDate;
const previousDate = '2026-11-19' as PlainDate;
const firstDate = '2025-01-02' as PlainDate;

/** Quotes that recipes show. The last prices of all other instruments differ from each other. */
const lastPrices: Readonly<Record<string, number>> = {
  GGAL: 8340.5,
  YPFD: 41_250,
  AL30: 91_250.5,
  // A CEDEAR.
  AAPL: 22_000,
  'DOLAR MEP': 1502.35,
  'DOLAR/EURO': 1.1625,
  'CAUCION 1D': 31.5,
  // A spread in percentage points, which is negative.
  'MEP-CCL': -2.35,
  'RIESGO PAIS': 573,
  MERVAL: 2_310_450.12,
  BTC: 91_234.567_812_34,
  // A price that JavaScript writes with an exponent.
  DOGE: 0.000_000_123_456,
};

/** The instruments with closes from {@link firstDate} to the day before {@link sessionDate}. */
const withCloses = ['GGAL', 'YPFD', 'AL30', 'AAPL', 'DOLAR MEP', 'DOLAR/EURO', 'MEP-CCL', 'BTC'];

/** AAPL splits 4 for 1 on this day. */
export const splitDate = '2026-06-15' as PlainDate;
const splitFactor = 4;

/**
 * The market of the recipes: the universe that ships, with a quote of every instrument, closes of
 * some, and a split of AAPL. The closes include the early closes of 24 December 2025 and of the NYSE.
 */
export interface RecipeMarket {
  readonly universe: Universe;
  readonly quotes: readonly Quote[];
  readonly closes: ReadonlyMap<Ticker, readonly DailyClose[]>;
  readonly actions: CorporateActions;
}

export async function makeRecipeMarket(): Promise<RecipeMarket> {
  const loaded = await loadUniverse(resolve(import.meta.dirname, '../../../universe'));
  if (!loaded.ok) throw new Error('the universe that ships has faults');
  const { universe } = loaded;
  const split = { type: 'split', ticker: 'AAPL' as Ticker, factor: splitFactor } as const;
  return {
    universe,
    quotes: universe.instruments.map((instrument) => quoteOf(instrument)),
    closes: new Map(
      withCloses.map((name) => {
        const instrument = universe.get(name as Ticker);
        return [instrument.ticker, closesOf(instrument, universe)];
      }),
    ),
    actions: new CorporateActions([{ ...split, exDay: toEpochDay(splitDate), source: 'test' }]),
  };
}

function lastOf({ ticker, position }: Instrument): number {
  return lastPrices[ticker] ?? 1000.25 + position;
}

/** A quote of the session. Every later quote of an instrument needs a higher version. */
export function quoteOf(
  instrument: Instrument,
  { last = lastOf(instrument), version = instrument.position + 1 } = {},
): Quote {
  const { kind, position } = instrument;
  const step = Math.abs(last) / 100;
  return makeQuote(instrument, {
    version,
    session: {
      sessionDate,
      asOf: Date.parse(`${sessionDate}T16:59:58-03:00`),
      last,
      open: last - step,
      low: last - 2 * step,
      high: last + step,
      volume: instrumentKinds[kind].hasVolume ? 1000 + position : null,
    },
    references: { previous: closeOn(previousDate, last - step) },
  });
}

/** Closes that rise to the last price. No two neighbours are equal. */
function closesOf(instrument: Instrument, universe: Universe): readonly DailyClose[] {
  const market = universe.markets.get(instrument.market);
  if (market === undefined) throw new Error(`no market ${instrument.market}`);
  const calendar = new SessionCalendar(market);
  const last = lastOf(instrument);
  const closes: DailyClose[] = [];
  for (let date = firstDate; date < sessionDate; date = addDays(date, 1)) {
    if (!calendar.isSession(date)) continue;
    const day = toEpochDay(date);
    const before = instrument.ticker === 'AAPL' && date < splitDate ? splitFactor : 1;
    const close = before * (last - (Math.abs(last) / 10_000) * (toEpochDay(sessionDate) - day));
    const [low, high] = [close - Math.abs(close) / 100, close + Math.abs(close) / 100];
    const { hasVolume, isPrice } = instrumentKinds[instrument.kind];
    const bar = isPrice ? { open: close, low, high } : {};
    closes.push({ day, close, volume: hasVolume ? 1000 + closes.length : null, ...bar });
  }
  return closes;
}
