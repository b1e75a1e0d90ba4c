import { freshnessOf } from '../market/freshness.ts';
import { markets } from '../market/health-watch.ts';
import { instruments } from '../market/instruments.ts';
import type { LiveQuotes } from '../market/live-quotes.ts';
import { countRows } from './count-rows.ts';

/**
 * The number of rising and falling instruments in the current or last session, as text and as a
 * bar.
 */
export function PanelSummary({ live }: { readonly live: LiveQuotes }) {
  void live.moment.value;
  const rows = live.rows();
  // Without the markets, a quote of an earlier session cannot be distinguished from a current one.
  if (
    !live.isLoaded.value ||
    rows.length === 0 ||
    instruments.value.size === 0 ||
    markets.value.size === 0
  )
    return null;
  const { up, same, down, unknown, earlier, missing } = countRows(rows, freshnessOf);
  const isKnown = rows.some(({ quote }) => quote && freshnessOf(quote) !== 'unknown');
  const compared = Math.max(1, up + same + down);
  return (
    <div class={isKnown ? 'summary' : 'summary is-unknown'}>
      <svg class="summary-bar" viewBox="0 0 100 4" preserveAspectRatio="none" aria-hidden="true">
        <rect class="bar-same" width="100" height="4" />
        <rect class="bar-up" width={(up / compared) * 100} height="4" />
        <rect
          class="bar-down"
          x={((up + same) / compared) * 100}
          width={(down / compared) * 100}
          height="4"
        />
      </svg>
      <Count kind="up" sign="▲" count={up} text={plural(up, 'sube', 'suben')} />
      <Count sign="=" count={same} text={`${same} sin cambio`} />
      <Count kind="down" sign="▼" count={down} text={plural(down, 'baja', 'bajan')} />
      {unknown > 0 && <Count sign="?" count={unknown} text={`${unknown} sin variación`} />}
      {earlier > 0 && (
        <Count
          sign="○"
          count={earlier}
          text={plural(earlier, 'de una rueda anterior', 'de ruedas anteriores')}
        />
      )}
      {missing > 0 && <Count sign="–" count={missing} text={`${missing} sin cotización`} />}
    </div>
  );
}

/** A count: short on the screen, with its meaning in its title, and as a text for screen readers. */
function Count({
  kind = 'muted',
  sign,
  count,
  text,
}: {
  readonly kind?: 'up' | 'down' | 'muted';
  readonly sign: string;
  readonly count: number;
  readonly text: string;
}) {
  return (
    <span class={`count ${kind}`} title={text}>
      <span aria-hidden="true">
        <span class="count-sign">{sign}</span>
        {count}
      </span>
      <span class="visually-hidden">{text}</span>
    </span>
  );
}

function plural(count: number, one: string, many: string): string {
  return `${count} ${count === 1 ? one : many}`;
}
