import type { CorporateAction, FactorAction } from './corporate-action.ts';
import { priceFactor } from './corporate-actions.ts';
import type { InstrumentKind } from '../instruments/instrument.ts';
import type { EpochDay } from '../calendar/plain-date.ts';
import { baseAgeDaysMax } from './reference-closes.ts';

/** The kinds of which one unit can become several. A bond, a rate or an index does not split. */
const kindsWithUnits: ReadonlySet<InstrumentKind> = new Set(['share', 'cedear', 'adr', 'etf']);

/** The usual numbers of new units for one old unit. */
const usualFactors = [1.5, 2, 3, 4, 5, 6, 7, 8, 10, 12, 15, 20, 25, 30, 40, 50, 100] as const;

/** Maximum relative deviation from 1.5 and 2. A crash of a third or a half is not rare, so it is small. */
const smallTolerance = 0.04;

/** Maximum relative deviation from the larger factors. */
const tolerance = 0.08;

/** Two closes are on the same level if one is at most so many times the other. */
const sameLevelMax = 1.3;

/** Recorded factors below this one, and their inverses, are hidden by the usual changes of a price. */
const judgedFactorMin = 1.25;

/** One close of a series, as traded. */
interface Close {
  readonly day: EpochDay;
  readonly close: number;
}

/**
 * A doubt about the corporate actions of an instrument. `unrecorded`: the close looks like that after
 * an action with `factor`, and no action is recorded. `contradicted`: an action with `factor` is
 * recorded, and the price has not moved with it.
 */
export interface ActionDoubt {
  readonly type: 'unrecorded' | 'contradicted';
  readonly day: EpochDay;
  readonly close: number;
  readonly previousDay: EpochDay;
  readonly previousClose: number;
  readonly factor: number;
}

/** Whether instruments of a kind can have actions that change their number of units. */
export function hasUnits(kind: InstrumentKind): boolean {
  return kindsWithUnits.has(kind);
}

/** The nearest usual factor if it explains the move from one close to the next, or undefined. */
export function usualFactor(previous: number, close: number): number | undefined {
  const isFall = previous > close;
  const moved = isFall ? previous / close : close / previous;
  // Live prices and imports call this often, and nearly every move is smaller than any usual factor.
  if (moved < judgedFactorMin) return undefined;
  const deviationFrom = (one: number): number => Math.abs(moved / one - 1);
  const usual: number = usualFactors.reduce((nearest, one) =>
    deviationFrom(one) < deviationFrom(nearest) ? one : nearest,
  );
  if (deviationFrom(usual) > (usual <= 2 ? smallTolerance : tolerance)) return undefined;
  return isFall ? usual : 1 / usual;
}

/**
 * The doubts about the recorded actions of an instrument, from its closes. Two closes that are too far
 * apart to compare, and a single close on another level than its neighbours, are no evidence.
 *
 * @param closes ascending by day, as traded
 * @param actions ascending by ex date
 */
export function* doubtsAbout(
  closes: readonly Close[],
  actions: readonly CorporateAction[],
): Generator<ActionDoubt, void> {
  for (const [index, current] of closes.entries()) {
    const previous = closes[index - 1];
    const { day, close } = current;
    if (previous === undefined || day - previous.day > baseAgeDaysMax) continue;
    const recorded = priceFactor(actions, { from: previous.day, to: day });
    const pair = { day, close, previousDay: previous.day, previousClose: previous.close };
    if (recorded !== 1) {
      if (moveWith(previous.close, close, recorded) === 'stayed') {
        yield { type: 'contradicted', ...pair, factor: recorded };
      }
      continue;
    }
    const factor = usualFactor(previous.close, close);
    if (factor === undefined) continue;
    if (!isSameLevel(previous, closes[index - 2]) || !isSameLevel(current, closes[index + 1])) {
      continue;
    }
    yield { type: 'unrecorded', ...pair, factor };
  }
}

/**
 * Whether a price moved with an action that has a factor: it is closer to the one that
 * the action gives (`moved`), or to the one before it (`stayed`). `unclear` is between, and every price
 * around an action whose move the usual changes hide.
 */
export function moveWith(
  previous: number,
  close: number,
  factor: number,
): 'moved' | 'stayed' | 'unclear' {
  const expected = Math.log(factor);
  if (Math.abs(expected) < Math.log(judgedFactorMin)) return 'unclear';
  const move = Math.log(previous / close);
  const [fromBefore, fromAfter] = [Math.abs(move), Math.abs(move - expected)];
  if (fromAfter < fromBefore) return 'moved';
  return fromBefore < fromAfter ? 'stayed' : 'unclear';
}

/**
 * Whether closes moved with an action, on its ex date: see {@link moveWith}. Without a close before it and
 * one from it on, close enough to compare, it is `unclear`.
 *
 * @param closes ascending by day
 */
export function moveAt(
  closes: readonly Close[],
  { exDay, factor }: Pick<FactorAction, 'exDay' | 'factor'>,
): 'moved' | 'stayed' | 'unclear' {
  const at = closes.findIndex(({ day }) => day >= exDay);
  const [previous, current] = [closes[at - 1], closes[at]];
  if (previous === undefined || current === undefined) return 'unclear';
  if (current.day - previous.day > baseAgeDaysMax) return 'unclear';
  return moveWith(previous.close, current.close, factor);
}

/** Closes of these many days before and after an ex date are the evidence about an action. */
export const evidenceDays = 45;

/** A neighbour that is missing or too far apart to compare proves nothing. */
function isSameLevel(one: Close, neighbour: Close | undefined): boolean {
  if (neighbour === undefined) return true;
  if (Math.abs(neighbour.day - one.day) > baseAgeDaysMax) return true;
  const [high, low] = [Math.max(one.close, neighbour.close), Math.min(one.close, neighbour.close)];
  return high <= low * sameLevelMax;
}
