import type { DailyClose } from '../domain/daily-close.ts';

/** Falls that are often a mistake of scale: another currency, lots of 100, a lost decimal point. */
const scaleFactors = [10, 100, 1000] as const;

/** Maximum relative deviation of a fall from such a factor. */
const scaleTolerance = 0.15;

/** Why a close that is stored is suspicious. */
export type Suspicion = 'out-of-range' | 'jump' | 'scale';

/**
 * Classifies the move from one close to the next: a fall by a factor near 10, 100 or 1000
 * (`scale`), a move beyond the limit of the kind in percent (`jump`), or neither.
 */
export function judgeMove(
  previous: number,
  close: number,
  jumpLimitPct: number,
): Suspicion | undefined {
  if (previous === 0) return undefined;
  const factor = previous / close;
  if (scaleFactors.some((one) => Math.abs(factor / one - 1) <= scaleTolerance)) return 'scale';
  const movePct = Math.abs((close / previous - 1) * 100);
  return movePct > jumpLimitPct ? 'jump' : undefined;
}

/** A suspicious close, with the close before it. */
export interface Jump {
  readonly close: DailyClose;
  readonly previous: DailyClose;
  readonly suspicion: Suspicion;
}

/** The jumps of a series, ascending by day. */
export function* findJumps(
  closes: readonly DailyClose[],
  jumpLimitPct: number,
): Generator<Jump, void> {
  let previous: DailyClose | undefined;
  for (const close of closes) {
    if (previous !== undefined) {
      const suspicion = judgeMove(previous.close, close.close, jumpLimitPct);
      if (suspicion !== undefined) yield { close, previous, suspicion };
    }
    previous = close;
  }
}
