import { instrumentKinds, type InstrumentKind } from '../../instruments/instrument.ts';
import { decimalsOf } from '../../values/same-price.ts';
import type { CorporateAction } from '../corporate-action.ts';
import { baseAgeDaysMax } from '../reference-closes.ts';
import type { Judgement, Doubt } from './judgement.ts';
import {
  closeOnBasisOf,
  isBeyondBound,
  isBeyondSessionBound,
  nameMove,
  type PriceOfDay,
} from './move.ts';
import { overrules, type Witness } from './witness.ts';

/** What a price is judged by. */
interface Circumstances {
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
interface JudgedPoint extends BarOfDay {
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

/** A price of a day with what is known of its session. */
export interface BarOfDay extends PriceOfDay {
  readonly open?: number | undefined;
  readonly high?: number | undefined;
  readonly low?: number | undefined;
  readonly volume?: number | null | undefined;
}

/** Maximum relative error of prices that were stored in single precision. */
const singlePrecision = 2 ** -22;

/** The doubt about a bar that contradicts itself or repeats the bar before, or undefined. */
export function contradictionIn(
  bar: BarOfDay,
  { kind, before }: { readonly kind: InstrumentKind; readonly before: BarOfDay | undefined },
): Doubt | undefined {
  if (isOutOfRange(bar)) return 'out-of-range';
  const { close, open, high, low } = bar;
  const isBeyond = (side: number | undefined): boolean =>
    side !== undefined && isBeyondSessionBound(kind, side, close);
  if (isBeyond(open) || isBeyond(high) || isBeyond(low)) return 'wide-range';
  return before !== undefined && before.day < bar.day && repeats(bar, before)
    ? 'repeated-session'
    : undefined;
}

/**
 * Whether a close is outside its own low and high by more than rounding: half a unit of the last decimal
 * of the prices of the range, or the error of single precision.
 */
function isOutOfRange({ close, open, high, low }: BarOfDay): boolean {
  const isWithin = (high === undefined || close <= high) && (low === undefined || close >= low);
  if (isWithin) return false;
  const range = [open, high, low].filter((side) => side !== undefined);
  const decimals = Math.max(...range.map(decimalsOf));
  const rounding = Math.max(0.5 / 10 ** decimals, Math.abs(close) * singlePrecision);
  return (
    (high !== undefined && close > high + rounding) || (low !== undefined && close < low - rounding)
  );
}

/** Whether a bar has the price, the range and the volume of another one, and all of them are known. */
export function repeats(bar: BarOfDay, other: BarOfDay): boolean {
  const { close, high, low, volume } = bar;
  if (high === undefined || low === undefined || !volume) return false;
  return (
    close === other.close && high === other.high && low === other.low && volume === other.volume
  );
}

/** A bar of a series with what the judge says about it. */
export interface JudgedBar<B extends BarOfDay> {
  readonly bar: B;
  readonly judgement: Judgement;
  /** The last believed bar before it. */
  readonly before: BarOfDay | undefined;
}

/**
 * Judges each bar of a series by the last believed bar before it and the bars after it.
 *
 * @param bars ascending by day, as traded
 */
export function* judgeSeries<B extends BarOfDay>(
  bars: readonly B[],
  context: {
    readonly kind: InstrumentKind;
    readonly actions: readonly CorporateAction[];
    /** What other sources give for a day. By default there are no other sources. */
    readonly witnessesOf?: (bar: B) => {
      readonly report: Witness;
      readonly witnesses: readonly Witness[];
    };
  },
): Generator<JudgedBar<B>, void> {
  const { kind, actions, witnessesOf } = context;
  let before: BarOfDay | undefined;
  for (const [index, bar] of bars.entries()) {
    const after = bars.slice(index + 1, index + 3);
    const heard = witnessesOf?.(bar);
    const candidate = heard === undefined ? bar : { ...bar, report: heard.report };
    const judgement = judge(candidate, {
      kind,
      actions,
      before,
      after,
      ...(heard !== undefined && { witnesses: heard.witnesses }),
    });
    yield { bar, judgement, before };
    if (judgement.verdict === 'believed') before = bar;
  }
}
