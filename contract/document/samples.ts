import { toEpochDay, type EpochDay, type PlainDate } from '../../src/domain/calendar/plain-date.ts';
import type { Market } from '../../src/domain/calendar/market.ts';
import type { Instrument } from '../../src/domain/instruments/instrument.ts';
import type { Ticker } from '../../src/domain/instruments/ticker.ts';
import type { Book } from '../../src/domain/quotes/book.ts';
import type { Quote } from '../../src/domain/quotes/quote.ts';

/** What the sample rows of several paths are made from. */

export const today = '2026-11-20' as PlainDate;

export const dayOf = (text: string): EpochDay => toEpochDay(text as PlainDate);

/** An instant of the session of {@link today}, in Buenos Aires. */
export const todayAt = (time: string): number => Date.parse(`${today}T${time}-03:00`);

export const byma: Market = {
  code: 'BYMA',
  name: 'Bolsas y Mercados Argentinos',
  timeZone: 'America/Argentina/Buenos_Aires',
  weekdays: new Set(),
  hours: [],
  holidays: new Map(),
  unsettled: new Set(),
  earlyCloses: new Map(),
};

export function instrument(ticker: string, about: Partial<Instrument> = {}): Instrument {
  return {
    ticker: ticker as Ticker,
    name: ticker,
    kind: 'share',
    market: 'BYMA',
    currency: 'ARS',
    decimals: 4,
    changeUnit: 'percent',
    pricePer: 1,
    position: 0,
    ...about,
  };
}

export const ggal = instrument('GGAL', { name: 'Grupo Financiero Galicia S.A.' });
const al30 = instrument('AL30', { kind: 'bond', pricePer: 100 });
export const mep = instrument('DOLAR MEP', {
  name: 'Dólar MEP (AL30)',
  kind: 'exchange-rate',
});

function quote(
  of: Instrument,
  {
    change,
    ...about
  }: Omit<Quote, 'instrument' | 'version' | 'sessionDate' | 'change' | 'references'> & {
    readonly change: number;
  },
): Quote {
  const inUnit = { value: change, unit: of.changeUnit };
  return {
    instrument: of,
    version: 1,
    sessionDate: today,
    change: inUnit,
    references: {},
    ...about,
  };
}

export const ggalQuote = quote(ggal, {
  asOf: todayAt('16:59:58'),
  last: 7410,
  change: 1.37,
  previousClose: 7310,
  open: 7330,
  low: 7275,
  high: 7450,
  monthToDatePct: 4.22,
  yearToDatePct: 12.87,
  volume: 2_154_321,
  book: { at: todayAt('16:59:58'), bid: 7405, ask: 7410 },
});

const book: Book = {
  at: todayAt('16:59:59'),
  bid: 91_240,
  ask: 91_260,
  bidSize: 15_000,
  askSize: 8_200,
  amount: 89_637_264_300,
  trades: 5_321,
};

export const al30Quote = quote(al30, {
  asOf: todayAt('16:59:59'),
  last: 91_250.5,
  change: -0.25,
  previousClose: 91_480,
  open: 91_500,
  low: 90_900,
  high: 91_700,
  monthToDatePct: 2.1,
  yearToDatePct: 18.03,
  volume: 98_231_004,
  book,
  source: { name: 'byma', delayMinutes: 20 },
});

export const mepQuote = quote(mep, {
  asOf: todayAt('16:59:59'),
  last: 1_502.35,
  change: 0.12,
  previousClose: 1_500.55,
  monthToDatePct: 1.05,
  yearToDatePct: 27.4,
  volume: null,
});
