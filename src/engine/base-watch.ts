import { isConfirmedSource } from '../domain/history/close-source.ts';
import type { DailyClose } from '../domain/history/daily-close.ts';
import { isStillReferenced } from '../domain/history/judge/usable-references.ts';
import type { MoveName } from '../domain/history/judge/judgement.ts';
import { agree, isBeyondBound, nameMove } from '../domain/history/judge/move.ts';
import { overrules, type Witness } from '../domain/history/judge/witness.ts';
import type { EpochDay, PlainDate } from '../domain/calendar/plain-date.ts';
import { oldestBases, type ReferenceClose } from '../domain/history/reference-closes.ts';
import { isInForce, type SetAsideBase } from '../domain/quotes/set-aside-base.ts';
import type { LiveSession } from '../domain/quotes/stored-quote.ts';
import type { JudgedPrice } from './judged-price.ts';
import { comparableTo, lastClose, type Slot } from './slot.ts';

/** Maximum number of prices of one instrument that are kept while they contradict its previous close. */
const contradictionsMax = 256;

/** The price that decides about a close. */
interface Deciding {
  readonly price: number;
  readonly at: number;
  readonly sessionDate: PlainDate;
}

/** A close of a day as history has it now; undefined if it has none any more. */
export interface CloseNow {
  readonly day: EpochDay;
  readonly close: DailyClose | undefined;
}

/**
 * Sets aside the stored closes that live prices contradict, and ends that. Its methods change only the
 * slot: the caller stores and publishes a changed quote.
 */
export class BaseWatch {
  readonly #onJudged: (judged: JudgedPrice) => void;

  constructor(onJudged: (judged: JudgedPrice) => void) {
    this.#onJudged = onJudged;
  }

  /** Sets aside the last close, because prices of a session contradict it. */
  setAside(slot: Slot, base: ReferenceClose, move: MoveName, by: Deciding): void {
    const { day, close } = base;
    const { price, at, sessionDate } = by;
    const comparable = comparableTo(slot, base, sessionDate);
    const mark = { day, close, sessionDate, comparable, price, at, isConfirmed: false };
    slot.setAside = mark;
    slot.contradictions = undefined;
    this.#onJudged({ type: 'set-aside', ticker: slot.instrument.ticker, mark, move });
  }

  /**
   * Judges the previous close by a price that witnesses have confirmed within the session: they set it aside,
   * or they end its mark because the price is not beyond the bound from it any more.
   */
  judgeAfterJump(slot: Slot, by: Deciding, move: MoveName): void {
    const { setAside: mark, references } = slot;
    const base = isInForce(mark) ? references.previous : lastClose(slot, by.sessionDate);
    slot.contradictions = undefined;
    if (base === undefined) return;
    const isContradicted = contradicts(slot, base, by);
    if (!isInForce(mark)) {
      if (isContradicted) this.setAside(slot, base, move, by);
    } else if (mark.day === base.day && !isContradicted) {
      this.#restore(slot, mark);
    }
  }

  /**
   * Reviews the previous close after a believed price: prices that go on to contradict it set it aside, and its
   * mark ends once the session agrees with it again. Returns whether the mark has changed.
   */
  review(slot: Slot, report: Witness): boolean {
    const { session, setAside: mark } = slot;
    if (session === undefined) return false;
    if (mark === undefined || !agreesAgain(slot, mark, session)) return this.#collect(slot, report);
    this.#restore(slot, mark);
    return true;
  }

  /** Collects a price that contradicts the previous close. Returns whether the close has been set aside now. */
  #collect(slot: Slot, report: Witness): boolean {
    const { session, contradictions } = slot;
    if (contradictions === undefined || session === undefined) return false;
    const { sessionDate } = session;
    const { price, at } = report;
    const base = lastClose(slot, sessionDate);
    if (base === undefined || !contradicts(slot, base, { price, sessionDate })) {
      slot.contradictions = undefined;
      return false;
    }
    if (!overrules(report, contradictions)) {
      if (contradictions.length < contradictionsMax) contradictions.push(report);
      return false;
    }
    const from = comparableTo(slot, base, sessionDate);
    const move = nameMove(slot.instrument.kind, { from, to: price, isLasting: true }) ?? 'jump';
    this.setAside(slot, base, move, { price, at, sessionDate });
    return true;
  }

  /**
   * The inputs of a derived instrument are judged, so its value is right. Its previous close may still be
   * of another level, while a close of an input is set aside or since it was corrected. Returns whether
   * the mark of the derived instrument has changed.
   */
  judgeDerived(slot: Slot, { price, at }: Omit<Deciding, 'sessionDate'>): boolean {
    const { session, references, setAside: mark } = slot;
    const base = references.previous;
    if (session === undefined || base === undefined) return false;
    const { sessionDate } = session;
    const isContradicted = contradicts(slot, base, { price, sessionDate });
    const isOfLater = mark === undefined || base.day > mark.day;
    if (isOfLater ? !isContradicted : isContradicted || mark.isConfirmed) return false;
    if (isOfLater) this.setAside(slot, base, 'jump', { price, at, sessionDate });
    else this.#restore(slot, mark);
    return true;
  }

  /**
   * Ends the mark of a close that has changed or that the operator has confirmed, and notices whether the
   * close that replaces it is contradicted too.
   *
   * @param now the close of the mark's day. Undefined if it was not read.
   */
  adopt(
    slot: Slot,
    { now, sessionDate }: { readonly now?: CloseNow | undefined; readonly sessionDate: PlainDate },
  ): void {
    const { setAside: mark, session, references } = slot;
    if (mark !== undefined) {
      const current = now?.day === mark.day ? now : undefined;
      const isOther = current !== undefined && current.close?.close !== mark.close;
      const isOnOtherBasis = comparableTo(slot, mark, mark.sessionDate) !== mark.comparable;
      const isStillUsed = now === undefined || isStillReferenced(references, mark);
      if (!isOther && !isOnOtherBasis && isStillUsed) {
        if (!mark.isConfirmed && isConfirmedSource(current?.close?.source)) {
          this.#restore(slot, mark);
          slot.setAside = { ...mark, isConfirmed: true };
        } else if (session?.asOf !== undefined && agreesAgain(slot, mark, session)) {
          this.#restore(slot, mark);
        }
        return;
      }
      this.#restore(slot, mark);
    }
    slot.contradictions = undefined;
    if (session?.asOf === undefined || slot.isDerived || session.sessionDate !== sessionDate)
      return;
    const by = { price: session.last, at: session.asOf, sessionDate };
    const base = references.previous;
    if (base === undefined || !contradicts(slot, base, by)) return;
    // The witnesses that have overruled the close before it contradict this one as well.
    if (mark === undefined) slot.contradictions = [];
    else this.setAside(slot, base, 'jump', by);
  }

  #restore(slot: Slot, mark: SetAsideBase): void {
    slot.setAside = undefined;
    if (mark.isConfirmed) return;
    this.#onJudged({ type: 'restored', ticker: slot.instrument.ticker, mark });
  }
}

/** Whether the last price of a session agrees with its previous close, which is set aside. */
function agreesAgain(slot: Slot, mark: SetAsideBase, { sessionDate, last }: LiveSession): boolean {
  if (!isInForce(mark) || mark.day !== slot.references.previous?.day) return false;
  return agree(comparableTo(slot, mark, sessionDate), last);
}

function contradicts(
  slot: Slot,
  base: ReferenceClose,
  { price, sessionDate }: Omit<Deciding, 'at'>,
): boolean {
  if (base.day < oldestBases(sessionDate).previous) return false;
  return isBeyondBound(slot.instrument.kind, comparableTo(slot, base, sessionDate), price);
}
