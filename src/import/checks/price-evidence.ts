import { usualFactor, hasUnits } from '../../domain/history/action-evidence.ts';
import { closeOnBasisOf, isBeyondBound, isOtherLevel } from '../../domain/history/judge/move.ts';
import { baseAgeDaysMax } from '../../domain/history/reference-closes.ts';
import { fromEpochDay } from '../../domain/calendar/plain-date.ts';
import type { DailyClose } from '../../domain/history/daily-close.ts';
import type { CloseTarget } from '../closes/close-target.ts';
import { unclearName, type OtherMeaning } from '../names/naming.ts';
import { ImportRefusal, operatorKnows, type Suggestion } from '../refusals/import-refusal.ts';

/**
 * Number of closes on another level that are more than slips: the judge of prices believes a level that
 * lasts for three closes.
 */
const levelMin = 3;

/** A close of the file, and the stored close that is nearest to it. */
export interface ComparedClose {
  readonly offered: DailyClose;
  readonly stored: DailyClose;
}

/** The closes of one instrument that could be compared. */
interface Compared {
  /** Days of which a close is stored too. */
  replaced: number;
  /** Of these, those on another level that no neighbour supports. */
  moved: number;
  added: number;
  /** Of these, those that neither a usual move nor the factor of a usual split explains. */
  addedFar: number;
  /** Closes of either kind that are further from the stored one than a price moves. */
  beyond: number;
  example: ComparedClose | undefined;
}

/**
 * Compares the closes of a file with the stored ones: the prices of another instrument, of another currency
 * or on another basis are on another level. Each close is compared with the nearest stored one, if that is at
 * most {@link baseAgeDaysMax} days away.
 */
export class PriceEvidence {
  readonly #otherMeaning: OtherMeaning;
  readonly #byTarget = new Map<CloseTarget, Compared>();

  constructor(otherMeaning: OtherMeaning) {
    this.#otherMeaning = otherMeaning;
  }

  /**
   * Adds closes of one instrument. Both lists are ascending by day.
   *
   * @returns the closes that would replace stored ones on another level.
   */
  add(
    target: CloseTarget,
    offered: readonly DailyClose[],
    stored: readonly DailyClose[],
  ): readonly ComparedClose[] {
    const { instrument, actions } = target;
    const { kind } = instrument;
    const compared = this.#comparedOf(target);
    const far: ComparedClose[] = [];
    let at = 0;
    let day: number | undefined;
    for (const close of offered) {
      // Of several closes of a day, the first one is stored.
      if (close.day === day) continue;
      day = close.day;
      while (isNearer(stored[at + 1], stored[at], close)) at += 1;
      const nearest = stored[at];
      if (nearest === undefined || distance(nearest, close) > baseAgeDaysMax) continue;
      const known = closeOnBasisOf(nearest, close.day, actions);
      const isBeyond = isBeyondBound(kind, known, close.close);
      let isContradicting = isBeyond;
      if (nearest.day === close.day) {
        compared.replaced += 1;
        const isFar = isOtherLevel(kind, nearest.close, close.close);
        if (isFar) far.push({ offered: close, stored: nearest });
        isContradicting = isFar && !isCorrection(target, close, stored, at);
        if (isContradicting) compared.moved += 1;
      } else {
        compared.added += 1;
        const isSplit = hasUnits(kind) && usualFactor(known, close.close) !== undefined;
        if (isBeyond && !isSplit) compared.addedFar += 1;
      }
      if (isBeyond) compared.beyond += 1;
      if (isContradicting) compared.example ??= { offered: close, stored: nearest };
    }
    return far;
  }

  /**
   * Refuses the file if the stored closes of an instrument contradict most of those that can be compared.
   *
   * @param mayBeOther whether the operator has left the instrument to the file.
   * @throws {ImportRefusal} `ambiguous`, with one of these closes.
   */
  refuseOther(mayBeOther: boolean): void {
    for (const [{ instrument }, compared] of this.#byTarget) {
      const { replaced, moved, added, addedFar, beyond, example } = compared;
      if (example === undefined) continue;
      const { offered, stored } = example;
      const because =
        `its close of ${fromEpochDay(offered.day)} is ${offered.close}, ` +
        `and the stored one of ${fromEpochDay(stored.day)} is ${stored.close}`;
      const other = this.#otherMeaning(instrument);
      const isMostBeyond = beyond * 2 > replaced + added;
      if (other !== undefined && isMostBeyond) {
        throw confirmed(unclearName(other, false, `, because ${because}`));
      }
      const isReplaced = moved * 2 > replaced && (moved >= levelMin || isMostBeyond);
      const contradicting = moved + addedFar;
      const isOther = contradicting >= levelMin && contradicting * 2 > replaced + added;
      if (!isReplaced && !isOther) continue;
      const named: readonly Suggestion[] = [{ ticker: operatorKnows }];
      const suggestions: readonly Suggestion[] = [
        ...(mayBeOther && this.#byTarget.size === 1 ? named : []),
        { replace: true },
      ];
      throw new ImportRefusal(
        'ambiguous',
        `the closes of ${instrument.ticker} are on another level than the stored ones: ${because}`,
        { kind: 'confirm-level', suggestions },
      );
    }
  }

  #comparedOf(target: CloseTarget): Compared {
    let compared = this.#byTarget.get(target);
    if (compared === undefined) {
      const none = { replaced: 0, moved: 0, added: 0, addedFar: 0, beyond: 0 };
      compared = { ...none, example: undefined };
      this.#byTarget.set(target, compared);
    }
    return compared;
  }
}

/** The same refusal. The reading that the stored closes contradict must replace them. */
function confirmed(refusal: ImportRefusal): ImportRefusal {
  const suggestions = refusal.advice?.suggestions ?? [];
  return refusal.suggesting(
    suggestions.map((one) => (one.suffix === '' ? { ...one, replace: true } : one)),
  );
}

/** Whether a close is nearer to the stored closes beside it than the one that it replaces, as of a slip. */
function isCorrection(
  { actions }: CloseTarget,
  offered: DailyClose,
  stored: readonly DailyClose[],
  at: number,
): boolean {
  const beside = [stored[at - 1], stored[at + 1]].flatMap((one) =>
    one === undefined || distance(one, offered) > baseAgeDaysMax
      ? []
      : [closeOnBasisOf(one, offered.day, actions)],
  );
  const apart = (close = 0) =>
    beside.reduce((sum, one) => sum + Math.abs(Math.log(close / one)), 0);
  return beside.length > 0 && apart(offered.close) < apart(stored[at]?.close);
}

function distance(one: DailyClose, other: DailyClose): number {
  return Math.abs(one.day - other.day);
}

function isNearer(
  next: DailyClose | undefined,
  current: DailyClose | undefined,
  close: DailyClose,
): boolean {
  if (next === undefined || current === undefined) return false;
  return distance(next, close) <= distance(current, close);
}
