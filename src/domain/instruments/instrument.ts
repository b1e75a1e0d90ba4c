import type { PlainDate } from '../calendar/plain-date.ts';
import type { Ticker } from './ticker.ts';

/** How the change of an instrument is shown: in percent of the previous close, or in points. */
export type ChangeUnit = 'percent' | 'points';

/**
 * The rules of a kind of instrument. The universe may override unit and decimals per instrument.
 */
export interface KindRules {
  /** Whether values are prices, which are above zero. Rates and spreads may be zero or negative. */
  readonly isPrice: boolean;
  /** Whether a nominal volume is traded. If not, volume is null (contract 2.1.6). */
  readonly hasVolume: boolean;
  /** The unit of the change where the universe sets none (contract 2.1.3). */
  readonly changeUnit: ChangeUnit;
  /** Number of decimals where the universe sets none. */
  readonly decimals: number;
  /** The quantity that one price is the price of, where the universe sets none (contract 4.4.4). */
  readonly pricePer: number;
  /**
   * Largest usual move from the previous close, in percent. A larger one is reported, not refused.
   */
  readonly jumpLimitPct: number;
  /**
   * How many times the last believed price of an earlier session a price may be, or which part of it, before it
   * is doubtful (`judge/`). Null for values that may be zero or negative: they have no such bound, and a percent
   * of a month or a year has no meaning.
   */
  readonly moveFactorMax: number | null;
  /** As {@link moveFactorMax}, between two prices of one session. */
  readonly sessionMoveFactorMax: number | null;
}

/** The rules of what trades at a price: shares, receipts, funds and bonds. */
const traded = {
  isPrice: true,
  hasVolume: true,
  changeUnit: 'percent',
  decimals: 4,
  pricePer: 1,
  jumpLimitPct: 40,
  moveFactorMax: 4,
  sessionMoveFactorMax: 4,
} as const;

/** The rules of debt, whose prices are those of 100 nominal. */
const debt = { ...traded, pricePer: 100 } as const;

/** All kinds of instruments with their rules. */
export const instrumentKinds = {
  share: traded,
  cedear: traded,
  adr: traded,
  etf: traded,
  bond: debt,
  'corporate-bond': debt,
  bill: debt,
  crypto: { ...traded, decimals: 8, jumpLimitPct: 60, moveFactorMax: 50 },
  index: { ...traded, hasVolume: false },
  'exchange-rate': { ...traded, hasVolume: false },
  'interest-rate': {
    isPrice: false,
    hasVolume: false,
    changeUnit: 'points',
    decimals: 4,
    pricePer: 1,
    jumpLimitPct: 200,
    moveFactorMax: 50,
    sessionMoveFactorMax: 50,
  },
  spread: {
    isPrice: false,
    hasVolume: false,
    changeUnit: 'points',
    decimals: 4,
    pricePer: 1,
    jumpLimitPct: 500,
    moveFactorMax: null,
    sessionMoveFactorMax: null,
  },
  'country-risk': {
    isPrice: true,
    hasVolume: false,
    changeUnit: 'points',
    decimals: 2,
    pricePer: 1,
    jumpLimitPct: 40,
    moveFactorMax: 50,
    sessionMoveFactorMax: 4,
  },
} as const satisfies Record<string, KindRules>;

/** One of the kinds in {@link instrumentKinds}. */
export type InstrumentKind = keyof typeof instrumentKinds;

/** Whether a text is the name of a kind. */
export function isInstrumentKind(text: string): text is InstrumentKind {
  return Object.hasOwn(instrumentKinds, text);
}

/** Where the dollars of a class are paid: in Argentina (MEP) or abroad ("cable"). */
export const dollarPayments = ['mep', 'cable'] as const;

export type DollarPayment = (typeof dollarPayments)[number];

/** What makes an instrument the class in dollars of another one. */
export interface DollarClass {
  /** The ticker of the class in pesos. */
  readonly base: Ticker;
  readonly paid: DollarPayment;
}

/** One instrument of the universe. Immutable. */
export interface Instrument {
  readonly ticker: Ticker;
  /** Descriptive name, for people. */
  readonly name: string;
  readonly kind: InstrumentKind;
  /** Code of the market whose calendar determines the instrument's sessions. */
  readonly market: string;
  /** ISO 4217 code where one exists (`ARS`, `USD`); `%` and `bp` for values that are not money. */
  readonly currency: string;
  /** Maximum number of decimals shown, 0 to 15. */
  readonly decimals: number;
  readonly changeUnit: ChangeUnit;
  /**
   * The quantity that one price is the price of: 100 for a price of 100 nominal. A position is worth its
   * quantity × price ÷ this.
   */
  readonly pricePer: number;
  /**
   * Of a depositary receipt: how many receipts represent how many units of the underlying. `20:1` is 20
   * receipts for one share.
   */
  readonly ratio?: string;
  /** Of a depositary receipt: the ticker of the underlying, which need not be in the universe. */
  readonly underlying?: string;
  /** Of a bond or a bill: the contractual day of its maturity, which may have no session. */
  readonly maturity?: PlainDate;
  /** Of the class in dollars of a security: its class in pesos, and where the dollars are paid. */
  readonly dollarClass?: DollarClass;
  /** Who issued it, for people, where that is not its name. */
  readonly issuer?: string;
  /** Index in the universe file, from 0. It orders lists and indexes columns. */
  readonly position: number;
}

/** The rules of an instrument's kind. */
export function rulesOf(instrument: Instrument): KindRules {
  return instrumentKinds[instrument.kind];
}
