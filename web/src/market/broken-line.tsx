import { useComputed } from '@preact/signals';

import { Button } from '../ui/button.tsx';
import { Problem } from '../ui/problem.tsx';
import { reconnectNow } from './api/service.ts';
import { connection, silentSince } from './connection.ts';
import { buenosAiresDay, formatClock, formatMoment } from './format/buenos-aires.ts';
import { ageOf, quietFor, freshnessOf, marketOf } from './freshness.ts';
import { lookedAt } from './health-watch.ts';
import { instruments } from './instruments.ts';
import type { LiveQuotes } from './live-quotes.ts';
import { store } from './quote-store.ts';

/**
 * While the service is silent, says that the prices on screen are not current, and since when. While it is heard,
 * names the time since which nothing has moved in a panel, if that is much longer than usual.
 */
export function BrokenLine({
  live,
  isEmpty = live?.rows().every(({ quote }) => quote === undefined) ?? false,
}: {
  readonly live?: LiveQuotes | undefined;
  /** Whether the page shows no price. */
  readonly isEmpty?: boolean;
}) {
  const state = connection.value;
  if (state?.kind === 'refused') {
    return (
      <Problem>
        <strong>{state.status}.</strong> {state.message}
      </Problem>
    );
  }
  const since = silentSince.value;
  if (since === undefined && state?.kind !== 'waiting') {
    return live === undefined ? null : <QuietLine live={live} />;
  }
  void live?.moment.value;
  return (
    <div class="notice notice-bad row between">
      <p role="alert">{textOf(isEmpty ? undefined : since)} La reconexión es automática.</p>
      <Button look="small" onClick={reconnectNow}>
        Reconectar ahora
      </Button>
    </div>
  );
}

/** Stands for a view that was never loaded while the service cannot be reached. */
export function NotStored() {
  return <p class="table-empty">Sin datos guardados de esta vista. Se cargan al reconectar.</p>;
}

function textOf(since: number | undefined): string {
  if (since === undefined) return 'El servicio no responde. Los precios se cargan al reconectar.';
  return `Se cortó la conexión con el servicio. Los precios en pantalla son ${sinceText(store.newestPriceAt() ?? since)}.`;
}

/** The time of the newest price, with its day if that is not today. */
function sinceText(instant: number): string {
  const now = Date.now();
  const isToday = buenosAiresDay(instant) === buenosAiresDay(now);
  return isToday ? `los de las ${formatClock(instant)}` : `los del ${formatMoment(instant, now)}`;
}

function QuietLine({ live }: { readonly live: LiveQuotes }) {
  const since = useComputed(() => {
    void live.moment.value;
    const now = lookedAt.value;
    const ages = live.rows().flatMap(({ ticker, quote }) => {
      if (quote === undefined || marketOf(ticker)?.estado !== 'abierto') return [];
      if (freshnessOf(quote) !== 'current') return [];
      return ageOf(quote, instruments.value.get(ticker), now) ?? [];
    });
    const age = quietFor(ages);
    return age === undefined ? undefined : formatClock(now - age);
  }).value;
  if (since === undefined) return null;
  return (
    <div class="notice row between" role="status">
      <p>Sin precios nuevos desde las {since}, con el mercado abierto.</p>
    </div>
  );
}
