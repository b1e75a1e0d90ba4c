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

/**
 * Compares the closes that a file has of one instrument with the stored ones: the prices of another instrument, of
 * another currency or on another basis are on another level. Each close is compared with the nearest stored one, if
 * that is at most {@link baseAgeDaysMax} days away.
 */
export class PriceEvidence {
  readonly #target: CloseTarget;
  /** Days of which a close is stored too. */
  #replaced = 0;
  /** Of these, those on another level that no neighbour supports. */
  #moved = 0;
  #added = 0;
  /** Of these, those that neither a usual move nor the factor of a usual split explains. */
  #addedFar = 0;
  /** Closes of either kind that are further from the stored one than a price moves. */
  #beyond = 0;
  #example: ComparedClose | undefined;

  constructor(target: CloseTarget) {
    this.#target = target;
  }

  /**
   * Adds the first close that the file has of a day.
   *
   * @param stored the stored closes around that day, ascending.
   * @param at the index of the nearest of them.
   * @returns both closes if the offered one would replace the stored one and is on another level.
   */
  add(offered: DailyClose, stored: readonly DailyClose[], at: number): ComparedClose | undefined {
    const { instrument, actions } = this.#target;
    const { kind } = instrument;
    const nearest = stored[at];
    if (nearest === undefined || distance(nearest, offered) > baseAgeDaysMax) return undefined;
    const known = closeOnBasisOf(nearest, offered.day, actions);
    const isBeyond = isBeyondBound(kind, known, offered.close);
    if (isBeyond) this.#beyond += 1;
    const isReplaced = nearest.day === offered.day;
    const isFar = isReplaced && isOtherLevel(kind, nearest.close, offered.close);
    const isMoved = isFar && !isCorrection(this.#target, offered, stored, at);
    if (isReplaced) {
      this.#replaced += 1;
      if (isMoved) this.#moved += 1;
    } else {
      this.#added += 1;
      const isSplit = hasUnits(kind) && usualFactor(known, offered.close) !== undefined;
      if (isBeyond && !isSplit) this.#addedFar += 1;
    }
    const compared = { offered, stored: nearest };
    if (isReplaced ? isMoved : isBeyond) this.#example ??= compared;
    return isFar ? compared : undefined;
  }

  /**
   * Refuses the file if the stored closes contradict most of those that can be compared.
   *
   * @param mayBeOther whether the file has one instrument only, which the operator has not confirmed.
   * @throws {ImportRefusal} `ambiguous`, with one of these closes.
   */
  refuseOther(otherMeaning: OtherMeaning, mayBeOther: boolean): void {
    if (this.#example === undefined) return;
    const { instrument } = this.#target;
    const { offered, stored } = this.#example;
    const because =
      `its close of ${fromEpochDay(offered.day)} is ${offered.close}, ` +
      `and the stored one of ${fromEpochDay(stored.day)} is ${stored.close}`;
    const compared = this.#replaced + this.#added;
    const other = otherMeaning(instrument);
    const isMostBeyond = this.#beyond * 2 > compared;
    if (other !== undefined && isMostBeyond) {
      throw confirmed(unclearName(other, false, `, because ${because}`));
    }
    const isReplaced =
      this.#moved * 2 > this.#replaced && (this.#moved >= levelMin || isMostBeyond);
    const contradicting = this.#moved + this.#addedFar;
    const isOther = contradicting >= levelMin && contradicting * 2 > compared;
    if (!isReplaced && !isOther) return;
    const named: readonly Suggestion[] = mayBeOther ? [{ ticker: operatorKnows }] : [];
    throw new ImportRefusal(
      'ambiguous',
      `the closes of ${instrument.ticker} are on another level than the stored ones: ${because}`,
      { kind: 'confirm-level', suggestions: [...named, { replace: true }] },
    );
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
