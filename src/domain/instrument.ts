import type { Ticker } from './ticker.ts';

/** How the change of an instrument is shown: in percent of the previous close, or in points. */
export type ChangeUnit = 'percent' | 'points';

/** What follows from an instrument's kind, unless its own row of the universe says otherwise. */
export interface KindRules {
  /** A price is always above zero. Rates, spreads and the like may be zero or negative. */
  readonly isPrice: boolean;
  /** Whether a nominal volume is traded; where not, volume is null (decisions row 22). */
  readonly hasVolume: boolean;
  /** The unit of the change where the universe names none (decisions row 20). */
  readonly changeUnit: ChangeUnit;
  /** Decimals shown where the universe names none. */
  readonly decimals: number;
  /** A move from the previous close beyond this is possible but worth a look; it is never refused. */
  readonly jumpLimitPct: number;
}

/** The kinds of instruments, each with its rules. */
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

/** What sort of instrument something is. */
export type InstrumentKind = keyof typeof instrumentKinds;

/** Whether a text names a kind. */
export function isInstrumentKind(text: string): text is InstrumentKind {
  return Object.hasOwn(instrumentKinds, text);
}

/** One instrument of the universe. Immutable. */
export interface Instrument {
  readonly ticker: Ticker;
  /** What people call it. */
  readonly name: string;
  readonly kind: InstrumentKind;
  /** The code of the market whose calendar its sessions follow. */
  readonly market: string;
  /** ISO 4217 where there is one (`ARS`, `USD`); `%` and `bp` for what is not money. */
  readonly currency: string;
  /** At most so many decimals are ever shown, 0 to 15. */
  readonly decimals: number;
  readonly changeUnit: ChangeUnit;
  /** Its place in the universe file, from 0: the order of lists, and an index into columns. */
  readonly position: number;
}

/** The rules of an instrument's kind. */
export function rulesOf(instrument: Instrument): KindRules {
  return instrumentKinds[instrument.kind];
}
