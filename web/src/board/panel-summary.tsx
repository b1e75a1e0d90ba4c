import type { LiveQuotes } from '../market/live-quotes.ts';

/** How many of the panel rise and fall, in words and as a bar. */
export function PanelSummary({ live }: { readonly live: LiveQuotes }) {
  void live.moment.value;
  const quotes = live.all();
  if (quotes.length === 0) return null;
  const up = quotes.filter(({ variacion }) => (variacion ?? 0) > 0).length;
  const down = quotes.filter(({ variacion }) => (variacion ?? 0) < 0).length;
  const same = quotes.length - up - down;
  return (
    <div class="summary">
      <svg class="summary-bar" viewBox="0 0 100 4" preserveAspectRatio="none" aria-hidden="true">
        <rect class="bar-same" width="100" height="4" />
        <rect class="bar-up" width={(up / quotes.length) * 100} height="4" />
        <rect
          class="bar-down"
          x={((up + same) / quotes.length) * 100}
          width={(down / quotes.length) * 100}
          height="4"
        />
      </svg>
      <span class="up">{up} suben</span>
      <span class="muted">{same} sin cambio</span>
      <span class="down">{down} bajan</span>
    </div>
  );
}
