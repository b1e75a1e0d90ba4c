import type { KeyRing } from '../../auth/key-ring.ts';
import { addressGroup } from '../../lib/network/address-group.ts';
import type { errorResponse } from '../../wire/texts/error-texts.ts';
import { draftOf, retryAfter, type ResponseDraft } from '../handler/response-draft.ts';
import type { RequestHandlerParts } from '../handler/request-handler.ts';
import { presentedKey } from './presented-key.ts';

/** When a client of a saturated service may come back, in seconds. */
const retryAfterSeconds = 1;

/** The answer to a request that waited too long for its turn. It is built once. */
export function saturatedDraft(errors: typeof errorResponse): ResponseDraft {
  const error = errors('saturated', { seconds: retryAfterSeconds });
  return draftOf(error, [retryAfter(retryAfterSeconds)]);
}

/**
 * Whose requests a request waits behind: those of its key and of the keys that it replaced. Without a
 * valid key, or with two keys, it is those of its address, so that invented keys get no share of their own.
 */
export function queueClient(keyRing: KeyRing): RequestHandlerParts['clientOf'] {
  return (request, { urlKey }, now) => {
    const inHeader = presentedKey(request);
    const presented =
      urlKey === undefined || inHeader === undefined ? (urlKey ?? inHeader) : undefined;
    if (presented !== undefined) {
      const scope = urlKey === undefined ? 'read' : 'url';
      const verdict = keyRing.authenticate(presented, now, scope, request.peer);
      if (verdict.ok) return verdict.key.family ?? verdict.key.id;
    }
    return `address ${addressGroup(request.peer.address)}`;
  };
}
