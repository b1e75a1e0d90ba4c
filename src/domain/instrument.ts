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
  /**
   * Largest usual move from the previous close, in percent. A larger one is reported, not refused.
   */
  readonly jumpLimitPct: number;
}

/** All kinds of instruments with their rules. */
export const instrumentKinds = {
  share: { isPrice: true, hasVolume: true, changeUnit: 'percent', decimals: 4, jumpLimitPct: 40 },
  cedear: { isPrice: true, hasVolume: true, changeUnit: 'percent', decimals: 4, jumpLimitPct: 40 },
  adr: { isPrice: true, hasVolume: true, changeUnit: 'percent', decimals: 4, jumpLimitPct: 40 },
  etf: { isPrice: true, hasVolume: true, changeUnit: 'percent', decimals: 4, jumpLimitPct: 40 },
  bond: { isPrice: true, hasVolume: true, changeUnit: 'percent', decimals: 4, jumpLimitPct: 40 },
  'corporate-bond': {
    isPrice: true,
    hasVolume: true,
    changeUnit: 'percent',
    decimals: 4,
    jumpLimitPct: 40,
  },
  bill: { isPrice: true, hasVolume: true, changeUnit: 'percent', decimals: 4, jumpLimitPct: 40 },
  crypto: { isPrice: true, hasVolume: true, changeUnit: 'percent', decimals: 8, jumpLimitPct: 60 },
  index: { isPrice: true, hasVolume: false, changeUnit: 'percent', decimals: 4, jumpLimitPct: 40 },
  'exchange-rate': {
    isPrice: true,
    hasVolume: false,
    changeUnit: 'percent',
    decimals: 4,
    jumpLimitPct: 40,
  },
  'interest-rate': {
    isPrice: false,
    hasVolume: false,
    changeUnit: 'points',
    decimals: 4,
    jumpLimitPct: 200,
  },
  spread: {
    isPrice: false,
    hasVolume: false,
    changeUnit: 'points',
    decimals: 4,
    jumpLimitPct: 500,
  },
  'country-risk': {
    isPrice: true,
    hasVolume: false,
    changeUnit: 'points',
    decimals: 2,
    jumpLimitPct: 40,
  },
} as const satisfies Record<string, KindRules>;

/** One of the kinds in {@link instrumentKinds}. */
export type InstrumentKind = keyof typeof instrumentKinds;

/** Whether a text is the name of a kind. */
export function isInstrumentKind(text: string): text is InstrumentKind {
  return Object.hasOwn(instrumentKinds, text);
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
   * Of a depositary receipt: how many receipts represent how many units of the underlying. `20:1` is 20
   * receipts for one share.
   */
  readonly ratio?: string;
  /** Of a depositary receipt: the ticker of the underlying, which need not be in the universe. */
  readonly underlying?: string;
  /** Index in the universe file, from 0. It orders lists and indexes columns. */
  readonly position: number;
}

/** The rules of an instrument's kind. */
export function rulesOf(instrument: Instrument): KindRules {
  return instrumentKinds[instrument.kind];
}
