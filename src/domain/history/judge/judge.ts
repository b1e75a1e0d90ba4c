import type { CorporateAction } from '../corporate-action.ts';
import { instrumentKinds, type InstrumentKind } from '../../instruments/instrument.ts';
import { baseAgeDaysMax } from '../reference-closes.ts';
import { contradictionIn, type BarOfDay } from './bar-contradiction.ts';
import type { Judgement } from './judgement.ts';
import { closeOnBasisOf, isBeyondBound, isBeyondSessionBound, nameMove } from './move.ts';
import { overrules, type Witness } from './witness.ts';

/** What a price is judged by. */
export interface Circumstances {
  readonly kind: InstrumentKind;
  /** The recorded actions of the instrument, ascending by ex date. */
  readonly actions: readonly CorporateAction[];
  /** The last believed price before this one: of an earlier day, or of the same session. */
  readonly before?: BarOfDay | undefined;
  /** The following prices, ascending by day. The first two are used. */
  readonly after?: readonly BarOfDay[];
  /**
   * The reports that support this price: earlier ones of the session that were not believed, or what
   * other sources give for the day.
   */
  readonly witnesses?: readonly Witness[];
}

/** A price to judge: a bar of a day, or one live price with the report that it comes from. */
export interface JudgedPoint extends BarOfDay {
  /** Absent for a bar whose source and instant do not matter, because there are no witnesses. */
  readonly report?: Witness;
}

const noPrices: readonly BarOfDay[] = [];

/** Number of following prices on the same level that make a move last: with the price itself, three. */
const lastingAfterMin = 2;

/**
 * Judges whether a price can be believed. It does not know by which way the price arrived: imports,
 * fetches, live sources and pushes all ask this function, and each decides what it does with a doubt
 * (docs/quote-semantics.md).
 *
 * - A value that is no price is refused.
 * - A bar that contradicts itself is doubtful, and so is one that repeats the session before.
 * - A price is doubtful if it is further from the prices before and after it than its kind moves
 *   (`moveFactorMax`, within a session `sessionMoveFactorMax`), on one basis. A move that lasts for three
 *   prices is believed. A price without any before it is believed, unless the two after it agree that it is
 *   wrong.
 * - Witnesses overrule the price before it ({@link overrules}).
 */
export function judge(candidate: JudgedPoint, circumstances: Circumstances): Judgement {
  const { kind, actions } = circumstances;
  if (!Number.isFinite(candidate.close)) return { verdict: 'refused', reason: 'not-finite' };
  if (instrumentKinds[kind].isPrice && candidate.close <= 0) {
    return { verdict: 'refused', reason: 'not-positive' };
  }
  const before = comparable(candidate, circumstances.before);
  const contradiction = contradictionIn(candidate, { kind, before });
  if (contradiction !== undefined) return { verdict: 'doubtful', reason: contradiction };
  const after = circumstances.after?.filter((one) => comparable(candidate, one)) ?? noPrices;
  if (before === undefined) return judgeFirst(candidate, { kind, actions, after });
  const from = closeOnBasisOf(before, candidate.day, actions);
  const isLasting = lasts(candidate, { kind, actions, after });
  const move = nameMove(kind, { from, to: candidate.close, isLasting });
  const isBeyond = before.day === candidate.day ? isBeyondSessionBound : isBeyondBound;
  if (!isBeyond(kind, from, candidate.close) || isLasting) {
    return move === undefined ? { verdict: 'believed' } : { verdict: 'believed', move };
  }
  const { report } = candidate;
  if (report !== undefined && overrules(report, circumstances.witnesses ?? [])) {
    const { close: to } = candidate;
    const lastingMove = nameMove(kind, { from, to, isLasting: true }) ?? 'jump';
    return { verdict: 'believed', isOverruling: true, move: lastingMove };
  }
  const reason = move === undefined || move === 'jump' ? 'far-from-neighbours' : move;
  return { verdict: 'doubtful', reason };
}

/** A neighbour that is near enough in time to compare with. */
function comparable({ day }: JudgedPoint, one: BarOfDay | undefined): BarOfDay | undefined {
  return one === undefined || Math.abs(one.day - day) > baseAgeDaysMax ? undefined : one;
}

interface Following {
  readonly kind: InstrumentKind;
  readonly actions: readonly CorporateAction[];
  readonly after: readonly BarOfDay[];
}

/** Judges a price that has none before it to compare with. */
function judgeFirst(candidate: JudgedPoint, { kind, actions, after }: Following): Judgement {
  const [first, second] = after;
  if (first === undefined || second === undefined) return { verdict: 'believed' };
  const isAlone =
    isFar(candidate, first, { kind, actions }) &&
    isFar(candidate, second, { kind, actions }) &&
    !isFar(first, second, { kind, actions });
  if (!isAlone) return { verdict: 'believed' };
  const from = closeOnBasisOf(first, candidate.day, actions);
  const move = nameMove(kind, { from, to: candidate.close, isLasting: false });
  const isSlip = move === 'decimal-slip';
  return { verdict: 'doubtful', reason: isSlip ? 'decimal-slip' : 'far-from-neighbours' };
}

/** Whether the prices after a price stay on its level. */
function lasts(candidate: JudgedPoint, { kind, actions, after }: Following): boolean {
  if (after.length < lastingAfterMin) return false;
  const level = after.slice(0, lastingAfterMin);
  return level.every((one) => !isFar(candidate, one, { kind, actions }));
}

function isFar(a: BarOfDay, b: BarOfDay, { kind, actions }: Omit<Following, 'after'>): boolean {
  return isBeyondBound(kind, a.close, closeOnBasisOf(b, a.day, actions));
}
