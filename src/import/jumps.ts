import type { DailyClose } from '../domain/daily-close.ts';

/** Moves that are often a mistake of scale: a price in another currency, lots of 100, a lost point. */
const scaleFactors = [10, 100, 1000] as const;

/** How near to such a factor a fall must be, as a part of it. */
const scaleTolerance = 0.15;

/** What is suspicious about a close that is kept all the same. */
export type Suspicion = 'out-of-range' | 'jump' | 'scale';

/**
 * What is suspicious about the move from one close to the next: a fall by a factor near 10, 100 or
 * 1000, or a move beyond the limit of the kind in percent.
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

/** A close that stands out from the one before it. */
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
