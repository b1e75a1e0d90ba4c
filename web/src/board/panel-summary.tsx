import { silentSince } from '../market/connection.ts';
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
  if (rows.length === 0 || instruments.value.size === 0 || markets.value.size === 0) return null;
  const { up, same, down, unknown, earlier, missing } = countRows(rows, freshnessOf);
  const compared = Math.max(1, up + same + down);
  return (
    <div class={silentSince.value === undefined ? 'summary' : 'summary is-unknown'}>
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
      <span class="up">{plural(up, 'sube', 'suben')}</span>
      <span class="muted">{same} sin cambio</span>
      <span class="down">{plural(down, 'baja', 'bajan')}</span>
      {unknown > 0 && <span class="muted">{unknown} sin variación</span>}
      {earlier > 0 && (
        <span class="muted">
          {plural(earlier, 'de una rueda anterior', 'de ruedas anteriores')}
        </span>
      )}
      {missing > 0 && <span class="muted">{missing} sin cotización</span>}
    </div>
  );
}

function plural(count: number, one: string, many: string): string {
  return `${count} ${count === 1 ? one : many}`;
}
