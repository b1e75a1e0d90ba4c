import { isBeyondSessionBound } from '../domain/history/judge/move.ts';
import { overrules, type Witness } from '../domain/history/judge/witness.ts';
import type { PlainDate } from '../domain/calendar/plain-date.ts';
import { comparableClose, oldestBases } from '../domain/history/reference-closes.ts';
import { rulesOf } from '../domain/instruments/instrument.ts';
import type { LiveSession } from '../domain/quotes/stored-quote.ts';
import { comparableTo, lastClose, type LoneLevel, type Slot } from './slot.ts';

/** Maximum number of different prices of a lone level. With more, the level is no longer lone. */
const reportsMax = 16;

/** The level of the first price of a session; undefined if the close before it supports it. */
export function levelOfFirst(
  slot: Slot,
  report: Witness,
  sessionDate: PlainDate,
): LoneLevel | undefined {
  const isSupported = isSupportedByClose(slot, report.price, sessionDate);
  if (isSupported === true || rulesOf(slot.instrument).sessionMoveFactorMax === null) {
    return undefined;
  }
  return { reports: [report], hasBars: isSupported === undefined };
}

/** The level after a further price; undefined as soon as it is supported. */
export function levelAfter(level: LoneLevel, report: Witness): LoneLevel | undefined {
  const { reports } = level;
  if (reports.length === reportsMax || overrules(report, reports)) return undefined;
  const { price, at, isPolledSlowly } = report;
  const isRepeated = reports.some(
    (one) => one.price === price && (one.at === at || isPolledSlowly !== true),
  );
  if (!isRepeated) reports.push(report);
  return level;
}

/**
 * Whether a price is within the bound of a session from the close before the session. Undefined if there is
 * none to compare with.
 */
export function isSupportedByClose(
  slot: Slot,
  price: number,
  sessionDate: PlainDate,
): boolean | undefined {
  const base = lastClose(slot, sessionDate);
  if (base === undefined || base.day < oldestBases(sessionDate).previous) return undefined;
  const { kind } = slot.instrument;
  return !isBeyondSessionBound(kind, comparableTo(slot, base, sessionDate), price);
}

/**
 * The level of a restored session. The reports before the restart are forgotten, so a level that the close
 * contradicts needs support again.
 */
export function levelAtRestart(
  { instrument, setAside, references }: Slot,
  { last, sessionDate, asOf, shown }: LiveSession,
): LoneLevel | undefined {
  const { previous } = references;
  if (asOf === undefined || shown !== undefined || setAside !== undefined) return undefined;
  if (previous === undefined || previous.day < oldestBases(sessionDate).previous) return undefined;
  const isSupported = !isBeyondSessionBound(instrument.kind, comparableClose(previous), last);
  return isSupported ? undefined : { reports: [], hasBars: false };
}
