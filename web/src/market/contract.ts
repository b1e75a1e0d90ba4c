import { computed, signal } from '@preact/signals';

import { operationsOf, panelsOf } from '../api/openapi.ts';
import type { OpenapiDocument } from '../api/openapi.ts';
import { fetchJson } from '../api/service.ts';

const openapi = signal<OpenapiDocument | undefined>(undefined);
const retryMs = 3_000;

/** The panels of the contract; empty until it was read. */
export const panels = computed(() => (openapi.value === undefined ? [] : panelsOf(openapi.value)));

/** The operations of the contract that can be tried. */
export const operations = computed(() =>
  openapi.value === undefined ? [] : operationsOf(openapi.value),
);

/** Reads the contract of the service, which is where the page knows it from. */
export async function readContract(): Promise<void> {
  const outcome = await fetchJson<OpenapiDocument>('/openapi.json');
  if (outcome.ok) openapi.value = outcome.value;
  else setTimeout(() => void readContract(), retryMs);
}
