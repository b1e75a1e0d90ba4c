import { computed, signal } from '@preact/signals';

import type { Health, MarketState } from '../api/health.ts';
import { fetchJson } from '../api/service.ts';

const pauseMs = 15_000;

/** The latest response of the health check. Undefined before the first. */
const health = signal<Health | undefined>(undefined);

/** The clock of the service minus the clock of this machine, in milliseconds. */
const ahead = signal(0);

/** Whether the prices are made up. */
export const isSimulated = computed(() => health.value?.datos === 'simulados');

/** The states of the markets, by code. */
export const markets = computed<ReadonlyMap<string, MarketState>>(
  () => new Map((health.value?.mercados ?? []).map((market) => [market.codigo, market])),
);

/** The time of the service. During a replay it is the time of the recording. */
export function serviceNow(): number {
  return Date.now() + ahead.value;
}

/** Requests the health check periodically while the page is open. */
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
