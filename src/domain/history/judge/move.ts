import { hasUnits, usualFactor } from '../action-evidence.ts';
import type { CorporateAction } from '../corporate-action.ts';
import { priceOnBasisOf, priceFactor } from '../corporate-actions.ts';
import { instrumentKinds, type InstrumentKind } from '../../instruments/instrument.ts';
import type { EpochDay } from '../../calendar/plain-date.ts';
import { withoutBinaryError } from '../../values/rounding.ts';
import type { MoveName } from './judgement.ts';

/** Factors of a mistake of unit: a lost decimal point, cents, a bond per 1 nominal instead of per 100. */
const slipFactors = [10, 100, 1_000, 10_000] as const;

/** Maximum relative deviation from such a factor: the price itself has moved too. */
const slipTolerance = 0.15;

/** Prices agree if the highest is at most so many times the lowest (10 %). */
const agreementFactorMax = 1.1;

/** A side of the book that is so many times the last price, or such a part of it, is in another unit. */
const bookFactorMax = 50;

/** A price of a day, as traded. */
export interface PriceOfDay {
  readonly day: EpochDay;
  readonly close: number;
}

/** Whether all these prices are within 10 % of each other. */
export function agree(...prices: readonly number[]): boolean {
  const [low, high] = [Math.min(...prices), Math.max(...prices)];
  return low > 0 && high <= low * agreementFactorMax;
}

/**
 * Whether two prices of different sessions, on one basis, are further apart than a price of the kind moves.
 * Values that may be zero or negative have no such bound.
 */
export function isBeyondBound(kind: InstrumentKind, a: number, b: number): boolean {
  return isBeyondFactor(instrumentKinds[kind].moveFactorMax, a, b);
}

/** As {@link isBeyondBound}, of two prices of one session. */
export function isBeyondSessionBound(kind: InstrumentKind, a: number, b: number): boolean {
  return isBeyondFactor(instrumentKinds[kind].sessionMoveFactorMax, a, b);
}

function isBeyondFactor(factorMax: number | null, a: number, b: number): boolean {
  if (factorMax === null || a <= 0 || b <= 0) return false;
  return Math.max(a, b) > Math.min(a, b) * factorMax;
}

/**
 * Whether two closes of one instrument and one day are of another instrument, currency or basis: two sources
 * of a price agree. Values that are no prices may differ as far as they move.
 */
export function isOtherLevel(kind: InstrumentKind, a: number, b: number): boolean {
  return instrumentKinds[kind].isPrice ? !agree(a, b) : isBeyondBound(kind, a, b);
}

/**
 * Whether a price of the book is in another unit than the last price. Buyers and sellers may ask for any
 * price, so a side of the book may be much further from it than a trade.
 */
export function isOfOtherUnit(side: number, last: number): boolean {
  return side > last * bookFactorMax || side * bookFactorMax < last;
}

/** The close of a day on the basis of another day, which may be before or after it. */
export function closeOnBasisOf(
  { day, close }: PriceOfDay,
  other: EpochDay,
  actions: readonly CorporateAction[],
): number {
  if (day <= other) return priceOnBasisOf(close, actions, { from: day, to: other });
  return withoutBinaryError(close * priceFactor(actions, { from: other, to: day }));
}

/**
 * Names the move between two prices on one basis, or undefined for a usual one. A factor such as 10 is
 * both that of a slip of the decimal point and of a usual split: a single price is a slip, and a price
 * that lasts is a split, for kinds whose units can split.
 */
export function nameMove(
  kind: InstrumentKind,
  {
    from,
    to,
    isLasting,
  }: { readonly from: number; readonly to: number; readonly isLasting: boolean },
): MoveName | undefined {
  if (from <= 0 || to <= 0) return isJump(kind, from, to) ? 'jump' : undefined;
  const isSplit = hasUnits(kind) && usualFactor(from, to) !== undefined;
  if (isSplit && isLasting) return 'unrecorded-split';
  const factor = Math.max(from / to, to / from);
  if (slipFactors.some((one) => Math.abs(factor / one - 1) <= slipTolerance)) return 'decimal-slip';
  if (isSplit) return 'unrecorded-split';
  return isJump(kind, from, to) ? 'jump' : undefined;
}

function isJump(kind: InstrumentKind, from: number, to: number): boolean {
  if (from === 0) return false;
  return Math.abs((to / from - 1) * 100) > instrumentKinds[kind].jumpLimitPct;
}
