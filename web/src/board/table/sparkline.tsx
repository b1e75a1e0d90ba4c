import { useEffect, useRef } from 'preact/hooks';

import { formatDay, formatPrice } from '../../market/format/numbers.ts';
import { drawPath } from './session-path.ts';
import type { SessionPath } from './session-path.ts';
import type { WatchedPaths } from './use-session-paths.ts';

const box = { width: 84, height: 22 };

/**
 * The path of the price in the session of a row, as a drawing with a description. It depends on the
 * path alone, which changes at most once a second, and not on each quote.
 */
export function Sparkline({
  ticker,
  day,
  previous,
  watched: { paths, watch },
}: {
  readonly ticker: string;
  /** The session of the quote. */
  readonly day: string | undefined;
  /** The close before this session. */
  readonly previous: number | undefined;
  readonly watched: WatchedPaths;
}) {
  const cell = useRef<HTMLTableCellElement>(null);
  useEffect(() => {
    const row = cell.current?.closest('tr');
    return row === null || row === undefined ? undefined : watch(row, ticker);
  }, [ticker, watch]);
  const path = paths.path(ticker).value;
  const isCurrent = path !== undefined && day !== undefined && day <= path.day;
  return (
    <td role="cell" class="col-rueda" ref={cell}>
      {path !== undefined && <Drawing path={path} previous={isCurrent ? previous : undefined} />}
    </td>
  );
}

function Drawing({
  path,
  previous,
}: {
  readonly path: SessionPath;
  readonly previous: number | undefined;
}) {
  const { line, baseY } = drawPath(path, previous, box);
  const [first, last] = [path.points[0], path.points.at(-1)];
  const base = previous ?? first?.price ?? 0;
  const change = (last?.price ?? base) - base;
  const way = change === 0 ? '' : change > 0 ? 'up' : 'down';
  return (
    <svg
      class={`spark ${way}`}
      viewBox={`-1 -2 ${box.width + 3} ${box.height + 4}`}
      role="img"
      aria-label={`Rueda del ${formatDay(path.day)}: de ${formatPrice(first?.price)} a ${formatPrice(last?.price)}`}
    >
      {baseY !== undefined && <path class="spark-base" d={`M0,${baseY}H${box.width}`} />}
      <path class="spark-line" d={line} />
    </svg>
  );
}
