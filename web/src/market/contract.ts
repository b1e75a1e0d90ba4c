import { computed, signal, type ReadonlySignal } from '@preact/signals';

import { operationsOf, type OpenapiDocument } from './api/openapi.ts';
import { retried } from './api/retry.ts';
import { fetchJson } from './api/service.ts';
import { withCsv } from './api/with-csv.ts';

const openapi = signal<OpenapiDocument | undefined>(undefined);

/** The operations of the contract that the page can try. */
export const operations = computed(() =>
  openapi.value === undefined ? [] : operationsOf(openapi.value),
);

/** The whole contract, with CSV in its operations. Undefined until it is loaded. */
export const contract: ReadonlySignal<OpenapiDocument | undefined> = openapi;

let isRead = false;

/** Loads the contract from the service, once. */
export async function readContract(): Promise<void> {
  if (isRead) return;
  isRead = true;
  const { signal: never } = new AbortController();
  const outcome = await retried(() => fetchJson<OpenapiDocument>('/openapi.json'), never);
  if (outcome.ok) openapi.value = withCsv(outcome.value);
}
