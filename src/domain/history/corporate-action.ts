import type { EpochDay } from '../calendar/plain-date.ts';
import type { Ticker } from '../instruments/ticker.ts';

/**
 * An event of a company that changes what one unit of its instrument is worth, or what it is called.
 * Prices are stored as traded. Everything that compares prices of different days applies the actions
 * between those days (contract 2.1.4).
 */
export type CorporateAction = UnitAction | CashDividend | TickerChange;

/** What every action has. At most one action of each type exists for an instrument and a day. */
interface Action {
  readonly ticker: Ticker;
  /** The ex date: the first session whose prices are those after the action. */
  readonly exDay: EpochDay;
  /** Where the action was read: the name of a source, or of the imported file. */
  readonly source: string;
}

/**
 * An action that replaces each old unit by `factor` new units. A split of ten for one has the factor
 * 10, a reverse split of one for ten 0.1, a stock dividend of 9 % 1.09. A change of a CEDEAR's ratio
 * from 10:1 to 20:1 has the factor 2.
 */
export interface UnitAction extends Action {
  readonly type: 'split' | 'stock-dividend' | 'ratio-change';
  /** Above zero. */
  readonly factor: number;
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

/** Whether an action changes the number of units. */
export function isUnitAction(action: CorporateAction): action is UnitAction {
  return 'factor' in action;
}

/** What distinguishes an action from all others: its instrument, its ex date and its type. */
export function actionKey({ ticker, exDay, type }: CorporateAction): string {
  return `${ticker}\n${exDay}\n${type}`;
}
