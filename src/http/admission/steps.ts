import type { KeyRing } from '../../auth/key-ring.ts';
import type { AddressRanges } from '../../lib/network/address-ranges.ts';
import type { Log } from '../../lib/reports/log.ts';
import type { errorResponse } from '../../wire/texts/error-texts.ts';
import type { RequestHandlerParts } from '../handler/request-handler.ts';
import type { HttpObserver } from '../handler/http-observer.ts';
import type { RouteTable } from '../handler/route-table.ts';
import type { StopPhase } from '../handler/stop-phase.ts';
import type { Step } from '../handler/visit.ts';
import { answerPreflights, corsVary } from './cors.ts';
import { refuseWhileStopping } from './drain.ts';
import { requireKey } from './key.ts';
import { closeAfterDoubt, refuseBadMessages, type MessageLimits } from './message.ts';
import { MisplacedKeys } from './misplaced-keys.ts';
import { refusePlainHttp } from './plain-http.ts';
import type { RateLimits } from './rate-limits.ts';
import { queueClient, saturatedDraft } from './saturation.ts';
import { readSurroundings, transportSecurity } from './surroundings.ts';
import { refuseUnknown } from './unknown.ts';

/** What admits requests to a listener. */
export interface AdmissionParts {
  readonly table: RouteTable;
  readonly keyRing: KeyRing;
  readonly errors: typeof errorResponse;
  readonly log: Log;
  readonly limits: MessageLimits;
  readonly phase: StopPhase;
  readonly observer?: HttpObserver | undefined;
  /** Absent: no client is limited. */
  readonly rateLimits?: RateLimits | undefined;
  /** The proxies whose report of the client's address and protocol is trusted. */
  readonly proxies?: AddressRanges | undefined;
  /** The addresses that may use plain HTTP; absent for all. */
  readonly plainPeers?: AddressRanges | undefined;
  /** Origins whose scripts may read responses. */
  readonly corsOrigins?: ReadonlySet<string>;
}

/** What a listener decides about a request before its routes do: each rule once, for every carrier. */
export function admission(
  parts: AdmissionParts,
): Pick<
  RequestHandlerParts,
  'steps' | 'surroundings' | 'admitUnread' | 'clientOf' | 'saturated' | 'varies'
> {
  const { keyRing, errors, rateLimits, corsOrigins = new Set() } = parts;
  return {
    steps: orderedSteps({ ...parts, corsOrigins }),
    surroundings: readSurroundings({ proxies: parts.proxies, corsOrigins }),
    // A slow client has not failed to present a key.
    admitUnread: ({ address, isEncrypted }, error, now) => {
      const counted =
        error === 'request-too-slow' ? undefined : rateLimits?.admitFailure(address, now);
      const fields = isEncrypted ? [transportSecurity] : [];
      if (counted !== undefined) fields.push(counted.fields);
      return { fields, refusal: counted?.refusal };
    },
    clientOf: queueClient(keyRing),
    saturated: saturatedDraft(errors),
    varies: corsOrigins.size > 0 ? corsVary : () => undefined,
  };
}

/** The order in which a request meets the rules. Nothing but the transport is decided before its key. */
function orderedSteps({
  plainPeers,
  corsOrigins,
  ...parts
}: AdmissionParts & { readonly corsOrigins: ReadonlySet<string> }): readonly Step[] {
  const { errors, rateLimits, observer } = parts;
  return [
    closeAfterDoubt,
    ...(plainPeers === undefined ? [] : [refusePlainHttp({ plainPeers, rateLimits, errors })]),
    ...(corsOrigins.size === 0 ? [] : [answerPreflights(corsOrigins)]),
    requireKey({ ...parts, rateLimits, observer, misplacedKeys: new MisplacedKeys(parts) }),
    refuseWhileStopping(parts.phase, errors),
    refuseBadMessages(parts.limits, errors),
    refuseUnknown(parts.table, errors),
  ];
}
