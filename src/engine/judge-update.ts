import { judge } from '../domain/history/judge/judge.ts';
import type { Doubt, MoveName } from '../domain/history/judge/judgement.ts';
import {
  agree,
  isBeyondBound,
  isBeyondSessionBound,
  nameMove,
} from '../domain/history/judge/move.ts';
import { instrumentKinds, type InstrumentKind } from '../domain/instruments/instrument.ts';
import { toEpochDay, type PlainDate } from '../domain/calendar/plain-date.ts';
import type { ReferenceClose } from '../domain/history/reference-closes.ts';
import type { LiveSession } from '../domain/quotes/stored-quote.ts';
import type { Update } from '../domain/quotes/update.ts';
import type { DoubtedUpdate, ReportSource } from './doubted-updates.ts';
import { isSupportedByClose } from './lone-level.ts';
import { lastClose, type Slot } from './slot.ts';

/** What is decided about a live update. */
export type JudgedUpdate =
  | {
      readonly verdict: 'believed';
      /** The update without the fields that are beyond the bound. */
      readonly update: Update;
      /** Updates that waited and that this one confirms, to be folded before it. */
      readonly confirmed: readonly DoubtedUpdate[];
      /** Updates that waited in vain. */
      readonly dropped: readonly DoubtedUpdate[];
      /** The price that the witnesses overrule. Absent if the price is a usual move. */
      readonly overruled?: { readonly base: ReferenceClose; readonly move: MoveName };
    }
  | {
      readonly verdict: 'doubtful';
      readonly reason: Doubt;
      readonly price: number;
      /** The believed price that it contradicts. */
      readonly believed: ReferenceClose;
    };

/**
 * Judges the price of a live update by the last believed price of its instrument: that of the session,
 * or else the last close. The prices that describe the session so far (open, high, low, previous close)
 * are left out if they are beyond the bound, because they never decide whether the last price is right.
 *
 * @param place.held the session so far. Undefined if the update would begin the session.
 */
export function judgeUpdate(
  slot: Slot,
  update: Update,
  place: {
    readonly held: LiveSession | undefined;
    readonly sessionDate: PlainDate;
    readonly source: ReportSource | undefined;
  },
): JudgedUpdate {
  const { held, sessionDate, source } = place;
  const { kind } = slot.instrument;
  const price = update.last ?? update.close;
  if (price === undefined || (held !== undefined && isLateWithin(held, update.at, price))) {
    return believed(withinBound(kind, update, held));
  }
  // The judge believes such a price. It is asked about the others, because nearly every update is of this kind.
  if (held !== undefined && !isBeyondSessionBound(kind, held.last, price)) {
    const dropped = slot.doubted.takeUntil(update.at);
    return believed(withinBound(kind, update, held, price), dropped);
  }
  const day = toEpochDay(sessionDate);
  const before = held === undefined ? lastClose(slot, sessionDate) : { day, close: held.last };
  if (
    held !== undefined &&
    slot.lone !== undefined &&
    isSupportedByClose(slot, price, sessionDate) === true
  ) {
    const move = nameMove(kind, { from: held.last, to: price, isLasting: false }) ?? 'jump';
    const overruled = { base: { day, close: held.last }, move };
    return overruling(slot, withinBound(kind, update, undefined, price), overruled);
  }
  const { name, isPolledSlowly } = source ?? {};
  const judgement = judge(
    { day, close: price, report: { price, at: update.at, source: name, isPolledSlowly } },
    { kind, actions: slot.factorActions, before, witnesses: slot.doubted.list },
  );
  if (judgement.verdict === 'believed') {
    if (judgement.isOverruling !== true || before === undefined) {
      return believed(withinBound(kind, update, held, price), slot.doubted.takeUntil(update.at));
    }
    // The range of a session that begins again says nothing about that of the update.
    const kept = withinBound(kind, update, slot.lone === undefined ? held : undefined, price);
    return overruling(slot, kept, { base: before, move: judgement.move ?? 'jump' });
  }
  // Without a price before it, a price is doubtful only if it is none, which was refused before.
  if (before === undefined || judgement.verdict === 'refused') {
    throw new Error(`${update.ticker} has a price that cannot be one: ${price}`);
  }
  return { verdict: 'doubtful', reason: judgement.reason, price, believed: before };
}

/** What is decided about an update that overrules the last believed price, together with those that wait. */
function overruling(
  { doubted }: Slot,
  update: Update,
  overruled: { readonly base: ReferenceClose; readonly move: MoveName },
): JudgedUpdate {
  const { agreeing, others } = doubted.takeAll(update.last ?? update.close ?? Number.NaN);
  return { ...believed(update, others), confirmed: agreeing, overruled };
}

const none: readonly DoubtedUpdate[] = [];

function believed(
  update: Update,
  dropped = none,
): Extract<JudgedUpdate, { readonly verdict: 'believed' }> {
  return { verdict: 'believed', update, confirmed: none, dropped };
}

/**
 * Whether a price is from before the instant of the session and within its range. The prices beside it in
 * time are not known, and it widens nothing: as when a push is repeated after a failure.
 */
function isLateWithin({ asOf, high, low }: LiveSession, at: number, price: number): boolean {
  if (asOf === undefined || at >= asOf || high === undefined || low === undefined) return false;
  return low <= price && price <= high;
}

/** The prices of an update that are left out if they are beyond the bound. */
const describing = ['open', 'high', 'low', 'previousClose', 'close'] as const;

/**
 * An update without the prices that are beyond the bound from all prices of the session and from its own
 * price, and without those that contradict the update itself. Gives the same object if there are none.
 */
export function withinBound(
  kind: InstrumentKind,
  update: Update,
  session: Pick<LiveSession, 'last' | 'high' | 'low'> | undefined,
  own?: number,
): Update {
  const nearest = own ?? session?.last;
  if (nearest === undefined) return update;
  if (isNearInAll(kind, update, nearest) && !contradictsItself(update)) return update;
  const near = [own, session?.last, session?.high, session?.low].filter((one) => one !== undefined);
  const isFar = (field: (typeof describing)[number]): boolean => {
    const price = update[field];
    const isBeyond = field === 'previousClose' ? isBeyondBound : isBeyondSessionBound;
    return price !== undefined && near.every((one) => isBeyond(kind, one, price));
  };
  const { last, open, high, low } = update;
  const leftOut: string[] = describing.filter((field) => isFar(field));
  if (instrumentKinds[kind].moveFactorMax !== null) {
    if (isClearlyAbove(last, high)) leftOut.push('high');
    if (isClearlyAbove(low, last)) leftOut.push('low');
    const isAbove = !leftOut.includes('high') && isClearlyAbove(open, high);
    const isBelow = !leftOut.includes('low') && isClearlyAbove(low, open);
    if (isAbove || isBelow) leftOut.push('open');
  }
  if (leftOut.length === 0) return update;
  const kept = Object.entries(update).filter(([field]) => !leftOut.includes(field));
  return Object.fromEntries(kept) as unknown as Update;
}

/**
 * Whether each of these prices of an update is within the bound from one price: its lowest and its highest
 * are. The fields are listed, because iterating over them for every update would cost more.
 */
function isNearInAll(
  kind: InstrumentKind,
  { open, high, low, previousClose, close }: Update,
  price: number,
): boolean {
  const [a, b, c] = [open ?? price, high ?? price, low ?? price];
  const [d, e] = [previousClose ?? price, close ?? price];
  const lowest = Math.min(price, a, b, c, d, e);
  const highest = Math.max(price, a, b, c, d, e);
  return (
    lowest > 0 &&
    !isBeyondSessionBound(kind, price, lowest) &&
    !isBeyondSessionBound(kind, price, highest)
  );
}

/**
 * Whether an update has a high below its last price, a low above it, or an open outside of both. After a jump
 * within the session, a slip may be near the prices before the jump, so the bound does not show it.
 */
function contradictsItself({ last, open, high, low }: Update): boolean {
  return (
    isClearlyAbove(last, high) ||
    isClearlyAbove(low, last) ||
    isClearlyAbove(open, high) ||
    isClearlyAbove(low, open)
  );
}

/**
 * Whether two prices of one update contradict each other, such as a low above the last price. Some sources
 * change the last price before its range, so a few percent are no contradiction.
 */
function isClearlyAbove(above: number | undefined, below: number | undefined): boolean {
  if (above === undefined || below === undefined || below <= 0) return false;
  return above > below && !agree(above, below);
}
