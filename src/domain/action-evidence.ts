import type { CorporateAction } from './corporate-action.ts';
import { unitFactor } from './corporate-actions.ts';
import type { InstrumentKind } from './instrument.ts';
import type { EpochDay } from './plain-date.ts';
import { baseAgeDaysMax } from './reference-closes.ts';

/** The kinds of which one unit can become several. A bond, a rate or an index does not split. */
const kindsWithUnits: ReadonlySet<InstrumentKind> = new Set(['share', 'cedear', 'adr', 'etf']);

/** The usual numbers of new units for one old unit. */
const usualFactors = [1.5, 2, 3, 4, 5, 6, 8, 10, 12, 15, 20, 25, 30, 40, 50, 100] as const;

/** Maximum relative deviation from 1.5 and 2. A crash of a third or a half is not rare, so it is small. */
const smallTolerance = 0.04;

/** Maximum relative deviation from the larger factors. It is less than half of the distance between two. */
const tolerance = 0.08;

/** The next close is on the same level if it is at most so many times higher or lower. */
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

/** The usual factor that explains the move from one close to the next, or undefined. */
export function usualFactor(previous: number, close: number): number | undefined {
  if (previous <= 0 || close <= 0) return undefined;
  const isFall = previous > close;
  const moved = isFall ? previous / close : close / previous;
  const usual = usualFactors.find(
    (one) => Math.abs(moved / one - 1) <= (one <= 2 ? smallTolerance : tolerance),
  );
  if (usual === undefined) return undefined;
  return isFall ? usual : 1 / usual;
}

/**
 * The doubts about the recorded actions of an instrument, from its closes. Two closes that are too far
 * apart to compare, and a price that is back on its level at the next close, are no evidence.
 *
 * @param closes ascending by day, as traded
 * @param actions ascending by ex date
 */
export function* doubtsAbout(
  closes: readonly Close[],
  actions: readonly CorporateAction[],
): Generator<ActionDoubt, void> {
  for (const [index, { day, close }] of closes.entries()) {
    const previous = closes[index - 1];
    if (previous === undefined || day - previous.day > baseAgeDaysMax) continue;
    const recorded = unitFactor(actions, { from: previous.day, to: day });
    const pair = { day, close, previousDay: previous.day, previousClose: previous.close };
    if (recorded !== 1) {
      if (isContradicted(previous.close, close, recorded)) {
        yield { type: 'contradicted', ...pair, factor: recorded };
      }
      continue;
    }
    const factor = usualFactor(previous.close, close);
    if (factor === undefined || !isSameLevel(close, closes[index + 1]?.close)) continue;
    yield { type: 'unrecorded', ...pair, factor };
  }
}

/** Whether a price is closer to the one before an action than to the one that the action gives. */
function isContradicted(previous: number, close: number, factor: number): boolean {
  if (previous <= 0 || close <= 0) return false;
  const expected = Math.log(factor);
  if (Math.abs(expected) < Math.log(judgedFactorMin)) return false;
  const moved = Math.log(previous / close);
  return Math.abs(moved) < Math.abs(moved - expected);
}

function isSameLevel(close: number, next: number | undefined): boolean {
  if (next === undefined) return true;
  return Math.max(close, next) <= Math.min(close, next) * sameLevelMax;
}
