import { wayOf, formatDay, formatPrice } from '../format/numbers.ts';
import { changeUnitOf, instruments } from '../instruments.ts';
import { drawPath, pathEnds, sessionSteps, type SessionPath } from '../session-path.ts';
import type { LiveQuotes } from '../live-quotes.ts';

/** The coordinates of a drawing. The styles give it its size. */
const box = { width: 84, height: 22 };

/**
 * The path of the price of an instrument in its session, as a drawing. It depends on the path alone,
 * which changes at most once a second, and not on each quote.
 */
export function PathDrawing({
  ticker,
  day,
  previous,
  live,
  isDescribed = false,
}: {
  readonly ticker: string;
  /** The session of the quote. */
  readonly day: string | undefined;
  /** The close before this session. */
  readonly previous: number | undefined;
  readonly live: Pick<LiveQuotes, 'path'>;
  /** Whether screen readers read it. */
  readonly isDescribed?: boolean;
}) {
  const path = live.path(ticker).value;
  const ends = path === undefined ? undefined : pathEnds(path);
  if (path === undefined || ends === undefined) return null;
  const isCurrent = day !== undefined && day <= path.day;
  const base = isCurrent ? previous : undefined;
  const { line, baseY } = drawPath(path, base, { ...box, steps: sessionSteps(ticker, path) });
  const way = wayOf(ends.last - (base ?? ends.first), changeUnitOf(instruments.value.get(ticker)));
  return (
    <svg
      class={`spark ${way}`}
      viewBox={`-1 -2 ${box.width + 2} ${box.height + 4}`}
      preserveAspectRatio="none"
      {...(isDescribed
        ? { role: 'img', 'aria-label': describe(path, ends) }
        : { 'aria-hidden': true })}
    >
      {baseY !== undefined && <path class="spark-base" d={`M0,${baseY}H${box.width}`} />}
      <path class="spark-line" d={line} />
    </svg>
  );
}

function describe({ day }: SessionPath, ends: NonNullable<ReturnType<typeof pathEnds>>): string {
  return `Rueda del ${formatDay(day)}: de ${formatPrice(ends.first)} a ${formatPrice(ends.last)}`;
}
