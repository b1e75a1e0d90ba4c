import type { CorporateAction } from './corporate-action.ts';
import type { DailyClose } from './daily-close.ts';
import { mergedClose } from './merged-close.ts';
import type { EpochDay } from '../calendar/plain-date.ts';
import { areClose, SharedBasis } from './shared-basis.ts';
import { isSamePrice } from '../values/same-price.ts';
import type { SourceOrder } from './source-order.ts';
import type { Ticker } from '../instruments/ticker.ts';

/** Two sources that disagree on a close. */
export interface CloseConflict {
  readonly ticker: Ticker;
  readonly day: EpochDay;
  readonly stored: number;
  /** Absent where it is not known. */
  readonly storedSource?: string;
  readonly offered: number;
  readonly offeredSource?: string;
}

/** What is decided about a close that an operator offers for a day. */
export interface CloseDecision {
  /** The close to store. It is the stored object when nothing changes. */
  readonly close: DailyClose;
  /** Whether the prices differ, and the stored one is not known to be of the same source. */
  readonly isConflict: boolean;
}

/**
 * What is decided about a close that a source offers.
 *
 * - `added`: the day has no stored close.
 * - `corrected`: the source has changed its own close.
 * - `replaced`: the close of a later source is replaced by a different one.
 * - `taken-over`: the close of a later source is equal. The source of the close changes.
 * - `same`: nothing changes, and the closes agree.
 * - `kept`: nothing changes, and the closes differ.
 * - `other-basis`: the day has no stored close, and the offered one is on another basis than the stored
 *   closes around it. It is not stored.
 */
export type FetchOutcome =
  | 'added'
  | 'corrected'
  | 'replaced'
  | 'taken-over'
  | 'same'
  | 'kept'
  | 'other-basis';

/** The decision about one close that a source offers. */
export interface FetchDecision {
  readonly outcome: FetchOutcome;
  readonly offered: DailyClose;
  /** The stored close of the day. */
  readonly stored: DailyClose | undefined;
  /** The close to store. Undefined when nothing changes. */
  readonly result?: DailyClose;
}

/**
 * Decides between the stored close of a day and one that an operator imports. An operator decides, so
 * the close of a file replaces those of all sources. An equal close changes neither the stored close
 * nor its source.
 *
 * This file has the only rules about closes of several sources: this one, {@link decideFetched} and
 * {@link decideCopied}.
 */
export function decideImported(stored: DailyClose | undefined, offered: DailyClose): CloseDecision {
  if (stored === undefined) return { close: offered, isConflict: false };
  return { close: mergedClose(stored, offered), isConflict: areInConflict(stored, offered) };
}

/**
 * Decides between the stored closes of an instrument and those that one source offers:
 *
 * - A day without a close gets the offered one, unless it is on another basis than the stored closes
 *   around it, such as divided by the factor of a later split ({@link SharedBasis}).
 * - A source corrects its own closes by at most 5 %. A larger difference may be an adjustment for a
 *   split or a stock dividend, and closes are stored as traded.
 * - A source replaces closes that were fetched from a source that comes later in the configuration,
 *   also equal ones: then it only becomes the source of the close. A close that differs by more than
 *   5 % is replaced only if the source agrees with a stored close of an earlier day. A source that
 *   adjusts its prices agrees with none, so two bases are never mixed.
 * - A source never changes any other close: of a session of the service, of an import, of an earlier
 *   source, of a source that is not configured or not known.
 *
 * @param closes.stored ascending by day, around and between the offered ones
 * @param closes.offered ascending by day, all of one source
 * @param rules.order ranks the sources
 * @param rules.actions of the instrument, ascending by ex date
 * @returns the decisions in the order of the offered closes
 */
export function decideFetched(
  {
    stored,
    offered,
  }: { readonly stored: readonly DailyClose[]; readonly offered: readonly DailyClose[] },
  { order, actions }: { readonly order: SourceOrder; readonly actions: readonly CorporateAction[] },
): readonly FetchDecision[] {
  const source = offered[0]?.source;
  const isReplaceable = (one: DailyClose): boolean => order.isPreferred(source, one.source);
  const basis = new SharedBasis(stored, offered, { actions, isReplaceable });
  const storedByDay = new Map(stored.map((one) => [one.day, one]));
  return offered.map((close) => {
    const held = storedByDay.get(close.day);
    const decide = (outcome: FetchOutcome, result?: DailyClose): FetchDecision => ({
      outcome,
      offered: close,
      stored: held,
      ...(result !== undefined && { result }),
    });
    if (held === undefined) {
      return basis.differsAround(close) ? decide('other-basis') : decide('added', close);
    }
    const isSame = isSamePrice(held.close, close.close);
    const isNear = isSame || areClose(held.close, close.close);
    if (isReplaceable(held)) {
      if (isSame) return decide('taken-over', takenOver(held, close));
      return isNear || basis.isSharedBefore(close.day) ? decide('replaced', close) : decide('kept');
    }
    if (!isSameSource(held, close)) return decide(isSame ? 'same' : 'kept');
    if (!isNear) return decide('kept');
    const corrected = mergedClose(held, close);
    return corrected === held ? decide('same') : decide('corrected', corrected);
  });
}

/**
 * Decides between the stored closes of an instrument and those of another Pizarra, which has decided about
 * them: they are stored as they are, also where they differ by any amount or lack a value that is stored.
 * Closes of a session of the service, of an import, of an earlier source and of one that is not known stay.
 */
export function decideCopied(
  {
    stored,
    offered,
  }: { readonly stored: readonly DailyClose[]; readonly offered: readonly DailyClose[] },
  { order }: { readonly order: SourceOrder },
): readonly FetchDecision[] {
  const storedByDay = new Map(stored.map((one) => [one.day, one]));
  return offered.map((close) => {
    const held = storedByDay.get(close.day);
    const decide = (outcome: FetchOutcome, result?: DailyClose): FetchDecision => ({
      outcome,
      offered: close,
      stored: held,
      ...(result !== undefined && { result }),
    });
    if (held === undefined) return decide('added', close);
    const isSame = held.close === close.close;
    if (order.isPreferred(close.source, held.source)) {
      return decide(isSame ? 'taken-over' : 'replaced', close);
    }
    if (!isSameSource(held, close)) {
      return decide(isSamePrice(held.close, close.close) ? 'same' : 'kept');
    }
    const hasSameValues =
      isSame &&
      held.volume === close.volume &&
      held.open === close.open &&
      held.high === close.high &&
      held.low === close.low;
    return hasSameValues ? decide('same') : decide('corrected', close);
  });
}

/** Whether two closes of a day have different prices, and are not known to be of one source. */
export function areInConflict(stored: DailyClose, offered: DailyClose): boolean {
  return !isSameSource(stored, offered) && !isSamePrice(stored.close, offered.close);
}

/** Describes two closes of a day that are in conflict. */
export function conflictOf(ticker: Ticker, stored: DailyClose, offered: DailyClose): CloseConflict {
  return {
    ticker,
    day: stored.day,
    stored: stored.close,
    ...(stored.source !== undefined && { storedSource: stored.source }),
    offered: offered.close,
    ...(offered.source !== undefined && { offeredSource: offered.source }),
  };
}

/** The stored close with the values and the source of an equal one. */
function takenOver(stored: DailyClose, offered: DailyClose): DailyClose {
  const { source } = offered;
  return { ...mergedClose(stored, offered), ...(source !== undefined && { source }) };
}

function isSameSource(a: DailyClose, b: DailyClose): boolean {
  return a.source !== undefined && a.source === b.source;
}
