import { signal } from '@preact/signals';

import { fetchJson } from '../market/api/service.ts';
import type { OpenapiDocument } from './openapi.ts';
import { withCsv } from './with-csv.ts';

/** The whole contract, with CSV in its operations. Undefined until it is loaded. */
export const contract = signal<OpenapiDocument | undefined>(undefined);

/** Whether the contract is not loaded because the service does not respond. */
export const isContractLate = signal(false);

function onFailure(): void {
  isContractLate.value = true;
}

/** Loads the contract from the service. */
export async function readContract(): Promise<void> {
  const outcome = await fetchJson<OpenapiDocument>('/openapi.json', { isPublic: true, onFailure });
  if (outcome.ok) contract.value = withCsv(outcome.value);
}
