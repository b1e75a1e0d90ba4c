import type { KeyRing } from '../../auth/key-ring.ts';
import { addressGroup } from '../../lib/network/address-group.ts';
import type { errorResponse } from '../../wire/texts/error-texts.ts';
import { draftOf, retryAfter } from '../handler/response-draft.ts';
import type { ResponseDraft } from '../handler/response-draft.ts';
import type { Request } from '../handler/request.ts';
import { presentedKey } from './key.ts';

/** When a client of a saturated service may come back, in seconds. */
const retryAfterSeconds = 1;

/** The answer to a request that waited too long for its turn. It is built once. */
export function saturatedDraft(errors: typeof errorResponse): ResponseDraft {
  const error = errors('saturated', { seconds: retryAfterSeconds });
  return draftOf(error, [retryAfter(retryAfterSeconds)]);
}

/**
 * Whose requests a request waits behind: those of its key and of the keys that it replaced. Without a
 * valid key it is those of its address, so that invented keys get no share of their own.
 */
export function queueClient(keyRing: KeyRing): (request: Request, now: number) => string {
  return (request, now) => {
    const presented = presentedKey(request);
    if (presented !== undefined) {
      const verdict = keyRing.authenticate(presented, now, 'read', request.peer);
      if (verdict.ok) return verdict.key.family ?? verdict.key.id;
    }
    return `address ${addressGroup(request.peer.address)}`;
  };
}
