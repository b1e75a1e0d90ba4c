import { signal } from '@preact/signals';

import { fetchJson } from '../market/api/service.ts';
import type { OpenapiDocument } from './openapi.ts';
import { withCsv } from './with-csv.ts';

/** The whole contract, with CSV in its operations. Undefined until it is loaded. */
export const contract = signal<OpenapiDocument | undefined>(undefined);

/** Loads the contract from the service. */
export async function readContract(): Promise<void> {
  const outcome = await fetchJson<OpenapiDocument>('/openapi.json', { isPublic: true });
  if (outcome.ok) contract.value = withCsv(outcome.value);
}
