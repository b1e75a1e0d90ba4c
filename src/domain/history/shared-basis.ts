import { usualFactor } from './action-evidence.ts';
import type { CorporateAction } from './corporate-action.ts';
import { priceFactor } from './corporate-actions.ts';
import type { DailyClose } from './daily-close.ts';
import { lastEpochDay, type EpochDay } from '../calendar/plain-date.ts';
import { baseAgeDaysMax } from './reference-closes.ts';

/** Two closes of one day are close if they differ by at most this part of the first one. */
const differenceMax = 0.05;

/** The usual changes of a price from one day to another hide factors below this one, and their inverses. */
const neighbourFactorMin = 1.4;

/** Maximum relative deviation of a quotient of the prices of two days from a factor. */
const neighbourTolerance = 0.08;

/** Whether a close differs from the stored one by at most 5 %, as a correction of a price does. */
export function areClose(stored: number, offered: number): boolean {
  return Math.abs(offered - stored) <= differenceMax * Math.abs(stored);
}

/** A day of which both a stored and an offered close exist. */
interface Pair {
  readonly day: EpochDay;
  /** `factor`: the quotient is the usual factor of a corporate action. */
  readonly difference: 'none' | 'factor' | 'other';
  readonly isReplaceable: boolean;
}

/**
 * Compares the basis of the closes that a source offers with that of the stored closes. A source that
 * divides the prices before a split by its factor is on another basis on all days before the split,
 * and on the same one since. So agreement on one day proves the same basis on all later days.
 */
export class SharedBasis {
  readonly #stored: readonly DailyClose[];
  readonly #actions: readonly CorporateAction[];
  /** Ascending by day. */
  readonly #pairs: readonly Pair[];

  /**
   * @param stored ascending by day
   * @param offered ascending by day, all of one source
   * @param isReplaceable whether the source may replace a stored close. Such closes are no evidence
   *   unless the source agrees with them.
   */
  constructor(
    stored: readonly DailyClose[],
    offered: readonly DailyClose[],
    {
      actions,
      isReplaceable,
    }: {
      readonly actions: readonly CorporateAction[];
      readonly isReplaceable: (stored: DailyClose) => boolean;
    },
  ) {
    this.#stored = stored;
    this.#actions = actions;
    const offeredByDay = new Map(offered.map((one) => [one.day, one.close]));
    this.#pairs = stored.flatMap((one) => {
      const other = offeredByDay.get(one.day);
      if (other === undefined) return [];
      const difference = areClose(one.close, other)
        ? 'none'
        : this.#isFactor(one.day, one.close / other)
          ? 'factor'
          : 'other';
      return [{ day: one.day, difference, isReplaceable: isReplaceable(one) }];
    });
  }

  /** Whether the source agrees with a stored close of an earlier day, and differs by no factor since. */
  isSharedBefore(day: EpochDay): boolean {
    const pair = this.#pairs.findLast(
      (one) =>
        one.day < day &&
        (one.difference === 'none' || (one.difference === 'factor' && !one.isReplaceable)),
    );
    return pair?.difference === 'none';
  }

  /**
   * Whether an offered close, of a day without a stored one, is on another basis than the stored closes
   * around it: the source differs by a factor on a later day, or the close differs from its neighbour by
   * the factor of the corporate actions since.
   */
  differsAround(offered: DailyClose): boolean {
    const { day } = offered;
    if (this.#pairs.findLast((one) => one.day < day)?.difference === 'none') return false;
    if (this.#pairs.find((one) => one.day > day)?.difference === 'factor') return true;
    const neighbours = [
      this.#stored.findLast((one) => one.day < day),
      this.#stored.find((one) => one.day > day),
    ];
    return neighbours.some((one) => one !== undefined && this.#isAdjusted(offered, one));
  }

  /** Whether a price is that of its neighbour, divided by the factors of the actions since. */
  #isAdjusted({ day, close }: DailyClose, neighbour: DailyClose): boolean {
    const from = Math.min(day, neighbour.day) as EpochDay;
    const to = Math.max(day, neighbour.day) as EpochDay;
    if (to - from > baseAgeDaysMax || priceFactor(this.#actions, { from, to }) !== 1) return false;
    const factor = this.#factorSince(day);
    const isLarge = Math.max(factor, 1 / factor) >= neighbourFactorMin;
    return isLarge && Math.abs(neighbour.close / close / factor - 1) <= neighbourTolerance;
  }

  #isFactor(day: EpochDay, quotient: number): boolean {
    if (!(quotient > 0)) return false;
    return usualFactor(quotient, 1) !== undefined || areClose(this.#factorSince(day), quotient);
  }

  #factorSince(day: EpochDay): number {
    return priceFactor(this.#actions, { from: day, to: lastEpochDay });
  }
}
