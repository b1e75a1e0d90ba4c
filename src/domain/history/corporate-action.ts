import type { EpochDay } from '../calendar/plain-date.ts';
import type { Ticker } from '../instruments/ticker.ts';
import { withoutBinaryError } from '../values/rounding.ts';

/**
 * An event of a company that changes what one unit of its instrument is worth, or what it is called.
 * Prices are stored as traded. Everything that compares prices of different days applies the actions
 * between those days (contract 2.1.4).
 */
export type CorporateAction = FactorAction | CashDividend | TickerChange;

/** What every action has. At most one action of each type exists for an instrument and a day. */
interface Action {
  readonly ticker: Ticker;
  /** The ex date: the first session whose prices are those after the action. */
  readonly exDay: EpochDay;
  /** Where the action was read: the name of a source, or of the imported file. */
  readonly source: string;
}

/**
 * An action by whose `factor` the prices before it are divided.
 *
 * Some replace each old unit by `factor` new units: a split of ten for one has the factor 10, a reverse split of one
 * for ten 0.1, a stock dividend of 9 % 1.09, a change of a CEDEAR's ratio from 10:1 to 20:1 has 2. A rights issue and
 * a spin-off leave the number of units: `factor` is the last price before the ex date ÷ the theoretical price after it.
 */
export interface FactorAction extends Action {
  readonly type: 'split' | 'stock-dividend' | 'ratio-change' | TermsType;
  /** Above zero. */
  readonly factor: number;
}

/** The types whose factor may be computed from their terms. */
export type TermsType = 'rights-issue' | 'spin-off';

/** Shares that holders may buy, or receive, of which each one held gives `ratio`, and the price of one of them. */
export interface FactorTerms {
  readonly type: TermsType;
  readonly ratio: number;
  /** The subscription price, or the price of a share of the company that is spun off. */
  readonly price: number;
}

/** Whether the factor of a type may be computed from its terms. */
export function hasTerms(type: ActionType): type is TermsType {
  return type === 'rights-issue' || type === 'spin-off';
}

/**
 * The factor of a rights issue or a spin-off: the last close before the ex date ÷ the theoretical price after it,
 * (close + ratio × price) ÷ (1 + ratio) for rights, and close − ratio × price for a spin-off.
 *
 * @param close the last one before the ex date, in units of the ex date
 * @returns undefined if it is not above 1: rights at a price that is not below the close are worth nothing
 */
export function factorOfTerms(
  { type, ratio, price }: FactorTerms,
  close: number,
): number | undefined {
  const after = type === 'spin-off' ? close - ratio * price : (close + ratio * price) / (1 + ratio);
  return after > 0 && after < close ? withoutBinaryError(close / after) : undefined;
}

/** A payment of `amount` for each unit, as they are on the ex date. It changes no basis of comparison. */
export interface CashDividend extends Action {
  readonly type: 'cash-dividend';
  /** Above zero. */
  readonly amount: number;
  /** ISO 4217. */
  readonly currency: string;
}

/** The instrument has the ticker `newTicker` from the ex date on. */
export interface TickerChange extends Action {
  readonly type: 'ticker-change';
  readonly newTicker: Ticker;
}

/** All types of action. */
export type ActionType = CorporateAction['type'];

/** Larger factors, and their inverses, are mistakes: the largest known split is 50,000 to 1. */
export const factorMax = 100_000;

/** Whether a number may be the factor of an action. */
export function isFactor(value: number): boolean {
  return value >= 1 / factorMax && value <= factorMax;
}

/** Whether an action has a factor. */
export function isFactorAction(action: CorporateAction): action is FactorAction {
  return 'factor' in action;
}

/** Whether an action replaces each unit by others, so that volumes change, too. */
export function changesUnits({ type }: FactorAction): boolean {
  return !hasTerms(type);
}

/** What distinguishes an action from all others: its instrument, its ex date and its type. */
export function actionKey({
  ticker,
  exDay,
  type,
}: Pick<CorporateAction, 'ticker' | 'exDay' | 'type'>): string {
  return `${ticker}\n${exDay}\n${type}`;
}
