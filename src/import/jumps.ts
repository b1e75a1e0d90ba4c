import { usualFactor } from '../domain/action-evidence.ts';
import type { CorporateAction } from '../domain/corporate-action.ts';
import { priceInUnitsOf } from '../domain/corporate-actions.ts';
import type { DailyClose } from '../domain/daily-close.ts';

/** Falls that are often a mistake of scale: another currency, lots of 100, a lost decimal point. */
const scaleFactors = [10, 100, 1000] as const;

/** Maximum relative deviation of a fall from such a factor. */
const scaleTolerance = 0.15;

/** Why a close that is stored is suspicious. */
export type Suspicion = 'out-of-range' | 'jump' | 'scale' | 'split';

/** What moves of an instrument are judged by. */
export interface MoveRules {
  readonly jumpLimitPct: number;
  /** Whether one unit can become several. */
  readonly hasUnits: boolean;
  /** The recorded actions, ascending by ex date. */
  readonly actions: readonly CorporateAction[];
}

/**
 * Classifies the move from one close to the next, which are on one basis: a fall by a factor near 10,
 * 100 or 1000 (`scale`), a move by a usual factor of a split (`split`), a move beyond the limit of the
 * kind in percent (`jump`), or none of them.
 */
export function judgeMove(
  previous: number,
  close: number,
  { jumpLimitPct, hasUnits }: Omit<MoveRules, 'actions'>,
): Suspicion | undefined {
  if (previous === 0) return undefined;
  const factor = previous / close;
  if (scaleFactors.some((one) => Math.abs(factor / one - 1) <= scaleTolerance)) return 'scale';
  if (hasUnits && usualFactor(previous, close) !== undefined) return 'split';
  const movePct = Math.abs((close / previous - 1) * 100);
  return movePct > jumpLimitPct ? 'jump' : undefined;
}

/** A suspicious close, with the close before it. */
export interface Jump {
  readonly close: DailyClose;
  readonly previous: DailyClose;
  /** The close before, on the basis of this close's day. */
  readonly base: number;
  readonly suspicion: Suspicion;
}

/** The jumps of a series, ascending by day. A recorded action is no jump (contract 2.1.4). */
export function* findJumps(closes: readonly DailyClose[], rules: MoveRules): Generator<Jump, void> {
  let previous: DailyClose | undefined;
  for (const close of closes) {
    if (previous !== undefined) {
      const days = { from: previous.day, to: close.day };
      const base = priceInUnitsOf(previous.close, rules.actions, days);
      const suspicion = judgeMove(base, close.close, rules);
      if (suspicion !== undefined) yield { close, previous, base, suspicion };
    }
    previous = close;
  }
}
