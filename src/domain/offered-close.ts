import type { DailyClose } from './daily-close.ts';
import { mergedClose } from './merged-close.ts';
import type { EpochDay } from './plain-date.ts';
import { isSamePrice } from './same-price.ts';
import type { Ticker } from './ticker.ts';

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
  /** Whether the offered close disagrees with the stored one of another source. */
  readonly isConflict: boolean;
}

/**
 * Decides between the stored close of a day and an offered one. This is the only rule about closes of
 * several sources:
 *
 * - A source corrects its own closes. It never changes a close of another source, or of a source that
 *   is not known.
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
  const mayChange = by === 'operator' || isSameSource(stored, offered);
  return { close: mayChange ? mergedClose(stored, offered) : stored, isConflict };
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
