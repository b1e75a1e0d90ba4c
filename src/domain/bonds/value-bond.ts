import type { PlainDate } from '../calendar/plain-date.ts';
import { accruedOn } from './accrual.ts';
import { valuedIn, type Bond } from './bond.ts';
import type { BondFlow } from './bond-schedule.ts';
import type { Convention } from './conventions.ts';
import { couponsPerYear } from './coupon-dates.ts';
import { daysBetween } from './day-count.ts';
import { discountedFrom, timedAmounts } from './discounting.ts';
import { growthOf, type IndexGrowth, type IndexValues, type UsedIndex } from './index-growth.ts';
import { PriceForms } from './price-forms.ts';
import { solveYield, type TimedAmount } from './solve-yield.ts';
import { effectiveYield, measuresAt, monthlyRate, nominalRate } from './yield-measures.ts';

/** What a valuation assumes: of a dual bond its fixed leg, no options, or terms that are in doubt. */
type Assumption = 'fixed-leg' | 'no-options' | 'doubtful-terms';

/**
 * Whether there are figures, or why some are missing: the settlement is before the issue or not before the
 * maturity, the value of the index or the exchange rate is not known, no yield gives the price, or the price
 * cannot be one of 100 nominal.
 */
type ValuationState =
  | 'ok'
  | 'not-issued'
  | 'matured'
  | 'no-index'
  | 'no-exchange-rate'
  | 'no-yield'
  | 'doubtful-price';

/** A price of 100 of the original nominal, and how it is expressed. */
export interface BondPrice {
  readonly amount: number;
  readonly currency: string;
  /** `quoted`: as the market quotes, with accrued interest. `convention`: in the form of the convention. */
  readonly form: 'quoted' | 'convention';
}

/** What a valuation depends on, beside the bond itself. */
export interface ValuationInputs {
  readonly settlement: PlainDate;
  readonly convention: Convention;
  readonly price: BondPrice;
  /** Pesos for one dollar. Needed only if the price has another currency than the flows. */
  readonly exchangeRate?: number | undefined;
  /** The values of the indices, or a number that multiplies the flows in place of an index. */
  readonly index: IndexValues | { readonly coefficient: number };
}

/** The figures of a bond at a price. Not rounded. Null if an input is missing (see the state). */
export interface BondValuation {
  readonly settlement: PlainDate;
  /** In the form of the convention, in the currency of the price. */
  readonly price: number | null;
  readonly currency: string;
  /** Pesos for one dollar, by which the price was converted. Null if it was not. */
  readonly exchangeRate: number | null;
  /** In percent a year, compounded as the convention says. */
  readonly yield: number | null;
  /** In percent a year, simple for a single payment. */
  readonly nominalRate: number | null;
  /** In percent a month. */
  readonly monthlyRate: number | null;
  readonly duration: number | null;
  readonly modifiedDuration: number | null;
  readonly convexity: number | null;
  /** The outstanding principal with its accrued interest, multiplied by the index. */
  readonly technicalValue: number | null;
  readonly accrued: number | null;
  /** The outstanding principal, in percent of the original nominal. */
  readonly residual: number | null;
  /** The price in percent of the technical value, or of the residual, as the convention says. */
  readonly parity: number | null;
  readonly maturity: PlainDate;
  readonly index: UsedIndex | null;
  readonly assumptions: readonly Assumption[];
  readonly state: ValuationState;
}

/** The parities outside which a price cannot be one of 100 nominal, in percent. */
const parityMin = 5;
const parityMax = 200;

/** Whether a price with this parity, in percent, can be one of 100 nominal. */
export function isPlausibleParity(parity: number): boolean {
  return parity >= parityMin && parity <= parityMax;
}

/**
 * All figures of a bond at a price, on a settlement date, by a convention (docs/bonds.md). A
 * missing input leaves out only what depends on it. Payments of the settlement date itself belong to the
 * seller. Never throws.
 */
export function valueBond(bond: Bond, inputs: ValuationInputs): BondValuation {
  const { terms, flows } = bond;
  const { settlement, convention, price } = inputs;
  const known = { ...nothing, settlement, currency: price.currency, maturity: terms.maturity };
  const assumptions = assumptionsOf(bond);
  if (settlement < terms.issued || settlement >= terms.maturity) {
    const shown = price.form === 'quoted' && convention.price !== 'dirty' ? null : price.amount;
    const state = settlement < terms.issued ? 'not-issued' : 'matured';
    return { ...known, price: shown, assumptions, state };
  }

  const ahead = flows.filter(({ date }) => date > settlement);
  const residual = ahead[0]?.residualBefore ?? 0;
  const growth = growthOf(bond, settlement, inputs.index);
  const accrued = times(accruedOn(bond, settlement, convention), growth.ratio);
  const principal = times(residual * terms.factor, growth.ratio);
  const technicalValue = principal === null || accrued === null ? null : principal + accrued;
  const forms = new PriceForms({
    price,
    convention,
    valuedIn: valuedIn(terms),
    exchangeRate: inputs.exchangeRate,
    accrued,
    outstanding: residual * terms.factor,
  });
  const { dirty } = forms;
  const compared = convention.parity === 'residual' ? forms.inConvention : dirty;
  const parity = ratioOf(compared, convention.parity === 'residual' ? principal : technicalValue);
  const figures = {
    ...known,
    price: forms.shown,
    exchangeRate: forms.appliedRate,
    technicalValue,
    accrued,
    residual,
    parity,
    index: growth.used,
    assumptions,
  };

  const { ratio } = growth;
  const rates = ratesOf(bond, ahead, { settlement, convention, dirty, ratio });
  const state = stateOf({ growth, forms, dirty, parity, hasYield: rates !== undefined });
  return state === 'ok' ? { ...figures, ...rates, state } : { ...figures, state };
}

const nothing = {
  price: null,
  exchangeRate: null,
  yield: null,
  nominalRate: null,
  monthlyRate: null,
  duration: null,
  modifiedDuration: null,
  convexity: null,
  technicalValue: null,
  accrued: null,
  residual: null,
  parity: null,
  index: null,
} as const;

function assumptionsOf({ terms }: Bond): readonly Assumption[] {
  const assumptions: Assumption[] = [];
  if (terms.isDual) assumptions.push('fixed-leg');
  if (terms.option !== undefined) assumptions.push('no-options');
  if (!terms.isVerified) assumptions.push('doubtful-terms');
  return assumptions;
}

function stateOf(found: {
  readonly growth: IndexGrowth;
  readonly forms: PriceForms;
  readonly dirty: number | null;
  readonly parity: number | null;
  readonly hasYield: boolean;
}): ValuationState {
  const { growth, forms, dirty, parity, hasYield } = found;
  if (growth.ratio === null) return 'no-index';
  if (forms.lacksRate) return 'no-exchange-rate';
  if (dirty === null || dirty <= 0) return 'no-yield';
  if (parity !== null && !isPlausibleParity(parity)) return 'doubtful-price';
  return hasYield ? 'ok' : 'no-yield';
}

/** The yield and what follows from it. Undefined if a payment is not known, or if no yield gives the price. */
function ratesOf(
  { terms }: Bond,
  ahead: readonly BondFlow[],
  at: {
    readonly settlement: PlainDate;
    readonly convention: Convention;
    readonly dirty: number | null;
    readonly ratio: number | null;
  },
) {
  const { settlement, convention, dirty, ratio } = at;
  if (dirty === null || ratio === null) return undefined;
  const amounts = timedAmounts(ahead, { settlement, convention, ratio });
  if (amounts === undefined) return undefined;
  const { compounding, modifiedBy = compounding } = convention;
  const found = solveYield(amounts, dirty, compounding);
  if (found === null) return undefined;
  const effective = effectiveYield(found, compounding);
  const measures = measuresAt(amounts, found, compounding);
  const nominal = simpleRate(ahead, amounts, at) ?? nominalRate(effective, couponsPerYear(terms));
  return {
    yield: found * 100,
    nominalRate: nominal * 100,
    monthlyRate: monthlyRate(effective) * 100,
    ...measures,
    modifiedDuration: measures.duration / (1 + found / modifiedBy),
  };
}

/** The simple annual rate to the last payment. Undefined if several are left. */
function simpleRate(
  ahead: readonly BondFlow[],
  amounts: readonly TimedAmount[],
  at: {
    readonly settlement: PlainDate;
    readonly convention: Convention;
    readonly dirty: number | null;
  },
): number | undefined {
  const [flow, next] = ahead;
  const [only] = amounts;
  if (flow === undefined || only === undefined || next !== undefined) return undefined;
  const days = daysBetween(at.settlement, discountedFrom(flow, at.convention));
  return ((only.amount / (at.dirty ?? 0) - 1) * 365) / days;
}

function times(value: number | null, factor: number | null): number | null {
  return value === null || factor === null ? null : value * factor;
}

function ratioOf(value: number | null, base: number | null): number | null {
  return value === null || base === null || base === 0 ? null : (value / base) * 100;
}
