import { closeOnBasisOf, isBeyondBound } from '../../domain/history/judge/move.ts';
import { baseAgeDaysMax } from '../../domain/history/reference-closes.ts';
import { fromEpochDay } from '../../domain/calendar/plain-date.ts';
import type { DailyClose } from '../../domain/history/daily-close.ts';
import type { CloseTarget } from '../closes/close-target.ts';
import { unclearName } from '../names/naming.ts';
import type { OtherMeaning } from '../names/naming.ts';

/** A close of the file, and the stored close that is nearest to it. */
interface Contradiction {
  readonly target: CloseTarget;
  readonly offered: DailyClose;
  readonly stored: DailyClose;
}

/**
 * Compares the closes of a file with the stored ones where a ticker has another meaning: the prices of a US
 * share are far from those of the CEDEAR with the same name. Each close is compared with the nearest stored
 * one, if that is at most {@link baseAgeDaysMax} days away.
 */
export class PriceEvidence {
  readonly #otherMeaning: OtherMeaning;
  #agreeing = 0;
  #contradicting = 0;
  #example: Contradiction | undefined;

  constructor(otherMeaning: OtherMeaning) {
    this.#otherMeaning = otherMeaning;
  }

  /** Adds closes of one instrument. Both lists are ascending by day. */
  add(target: CloseTarget, offered: readonly DailyClose[], stored: readonly DailyClose[]): void {
    const { instrument, actions } = target;
    if (stored.length === 0 || this.#otherMeaning(instrument) === undefined) return;
    let at = 0;
    for (const close of offered) {
      while (isNearer(stored[at + 1], stored[at], close)) at += 1;
      const nearest = stored[at];
      if (nearest === undefined || distance(nearest, close) > baseAgeDaysMax) continue;
      const known = closeOnBasisOf(nearest, close.day, actions);
      if (isBeyondBound(instrument.kind, known, close.close)) {
        this.#contradicting += 1;
        this.#example ??= { target, offered: close, stored: nearest };
      } else this.#agreeing += 1;
    }
  }

  /**
   * Refuses the file if the stored closes contradict most of its closes that can be compared.
   *
   * @throws {ImportRefusal} `ambiguous`, with one of these closes.
   */
  refuseOther(): void {
    if (this.#example === undefined || this.#contradicting <= this.#agreeing) return;
    const { target, offered, stored } = this.#example;
    const other = this.#otherMeaning(target.instrument);
    if (other === undefined) return;
    const because =
      `, because its close of ${fromEpochDay(offered.day)} is ${offered.close}, ` +
      `and the stored one of ${fromEpochDay(stored.day)} is ${stored.close}`;
    throw unclearName(other, false, because);
  }
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
