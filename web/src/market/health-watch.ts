import { computed, signal } from '@preact/signals';

import type { Health, MarketState } from '../api/health.ts';
import { fetchJson } from '../api/service.ts';

const pauseMs = 15_000;

/** The last word of the health check; undefined until there is one. */
const health = signal<Health | undefined>(undefined);

/** How far the service's clock is ahead of this machine's, in milliseconds. */
const ahead = signal(0);

/** Whether the prices are made up. */
export const isSimulated = computed(() => health.value?.datos === 'simulados');

/** The states of the markets, by code. */
export const markets = computed<ReadonlyMap<string, MarketState>>(
  () => new Map((health.value?.mercados ?? []).map((market) => [market.codigo, market])),
);

/** The service's own time, which is that of the recording while one is replayed. */
export function serviceNow(): number {
  return Date.now() + ahead.value;
}

/** Looks at the health check now and then, for as long as the page lives. */
export function watchHealth(): void {
  const look = async () => {
    const asked = Date.now();
    const outcome = await fetchJson<Health>('/healthz');
    if (outcome.ok) {
      ahead.value = Date.parse(outcome.value.ahora) - (asked + Date.now()) / 2;
      health.value = outcome.value;
    }
    setTimeout(() => void look(), pauseMs);
  };
  void look();
}
