import type { Socket } from 'node:net';

import type { KeyRing } from '../auth/key-ring.ts';
import { addressGroup } from '../lib/address-group.ts';
import type { Clock } from '../lib/clock.ts';
import { errorAnswer } from '../wire/error-texts.ts';
import { errorBody } from './answer.ts';

/** When a client that met a saturated service may come back, in seconds. */
const retryAfterSeconds = 1;

const saturated = errorAnswer('saturated', { seconds: retryAfterSeconds });
const { parts, headers } = errorBody(saturated);

/** The response to a request that waited too long for its turn. It costs as little as possible. */
export const saturatedStatus = saturated.status;
export const saturatedBody = {
  parts,
  headers: [...headers, 'retry-after', String(retryAfterSeconds)],
} as const;

/**
 * Whose requests a request waits behind: those of its key and of the keys that it replaced, or of its
 * address if its key is not valid, so that made-up keys get no share of their own.
 */
export function queueClient(
  { keyRing, clock }: { readonly keyRing: KeyRing; readonly clock: Clock },
  presented: string | undefined,
  connection: Socket,
): string {
  if (presented !== undefined) {
    const verdict = keyRing.authenticate(presented, clock.now(), 'read', connection);
    if (verdict.ok) return verdict.key.family ?? verdict.key.id;
  }
  return `address ${addressGroup(connection.remoteAddress ?? '')}`;
}
