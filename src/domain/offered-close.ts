import type { DailyClose } from './daily-close.ts';
import { mergedClose } from './merged-close.ts';
import type { EpochDay } from './plain-date.ts';
import { isSamePrice } from './same-price.ts';
import type { Ticker } from './ticker.ts';

/** Maximum correction of a close by its own source, as a part of the stored close. */
const correctionMax = 0.05;

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

/** What is decided about a close that is offered for a day. */
export interface CloseDecision {
  /** The close to store. It is the stored object when nothing changes. */
  readonly close: DailyClose;
  /** Whether the prices differ, and the offered one is no correction of a source by itself. */
  readonly isConflict: boolean;
}

/**
 * Decides between the stored close of a day and an offered one. This is the only rule about closes of
 * several sources:
 *
 * - A source corrects its own closes by at most 5 %. A larger difference may be an adjustment for a
 *   split or a stock dividend, and closes are stored as traded. A source never changes a close of
 *   another source, or of one that is not known.
 * - An operator who imports a file decides, so its closes replace those of all sources.
 * - An equal close changes neither the stored close nor its source: the first source stays.
 *
 * @param by who offers the close
 */
export function decideClose(
  stored: DailyClose | undefined,
  offered: DailyClose,
  by: 'source' | 'operator',
): CloseDecision {
  if (stored === undefined) return { close: offered, isConflict: false };
  const isConflict = areInConflict(stored, offered);
  if (by === 'operator') return { close: mergedClose(stored, offered), isConflict };
  if (!isSameSource(stored, offered)) return { close: stored, isConflict };
  const isCorrection =
    Math.abs(offered.close - stored.close) <= correctionMax * Math.abs(stored.close);
  return { close: isCorrection ? mergedClose(stored, offered) : stored, isConflict: !isCorrection };
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

function isSameSource(a: DailyClose, b: DailyClose): boolean {
  return a.source !== undefined && a.source === b.source;
}
