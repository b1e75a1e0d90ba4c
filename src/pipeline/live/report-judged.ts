import { doubtTexts, type MoveName } from '../../domain/history/judge/judgement.ts';
import { fromEpochDay } from '../../domain/calendar/plain-date.ts';
import type { SetAsideBase } from '../../domain/quotes/set-aside-base.ts';
import type { Ticker } from '../../domain/instruments/ticker.ts';
import type { JudgedPrice } from '../../engine/judged-price.ts';
import type { Log } from '../../lib/reports/log.ts';

/** Counts a decision of the judge. */
export type CountJudged = (decision: JudgedPrice['type']) => void;

/** How the operator mends a close that live prices contradict. */
export function remedyFor(ticker: Ticker, { day }: SetAsideBase): string {
  const name = JSON.stringify(ticker);
  return (
    `if the close is wrong, import the right one ("pizarra import"); after a split, record it ("pizarra actions import"); ` +
    `if the close of ${fromEpochDay(day)} is right, run: pizarra history confirm ${name}`
  );
}

/** Describes a close that live prices contradict, for people. */
export function describeSetAside(ticker: Ticker, mark: SetAsideBase): string {
  const { day, close, price } = mark;
  return `${ticker}: the close ${close} of ${fromEpochDay(day)} is contradicted by live prices (${price})`;
}

/**
 * Reports what the judge decided about live prices: everything is counted, and what an operator should
 * review is logged. A price that is held or dropped is logged with the rejected data of its feed.
 */
export function reportJudged(
  judged: JudgedPrice,
  { log, count }: { readonly log: Log; readonly count: CountJudged },
): void {
  const { type, ticker } = judged;
  count(type);
  if (type === 'confirmed') {
    const { price, believed, source, move } = judged;
    log.warn({ ticker, price, before: believed, feed: source, ...named(move) }, 'jump confirmed');
  } else if (type === 'set-aside') {
    const { mark, move } = judged;
    const { day, close, comparable, price } = mark;
    const about = { ticker, day: fromEpochDay(day), close, comparable, price, ...named(move) };
    log.error(
      { ...about, todo: remedyFor(ticker, mark) },
      'close set aside, live prices contradict it',
    );
  } else if (type === 'restored') {
    const { day, close } = judged.mark;
    log.info({ ticker, day: fromEpochDay(day), close }, 'close no longer set aside');
  }
}

/** What a move looks like. */
function named(move: MoveName): object {
  return move === 'jump' ? {} : { looksLike: move, meaning: doubtTexts[move] };
}
