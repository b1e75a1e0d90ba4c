import * as v from '@badrap/valita';
import type { FeedDeps } from '../contract/feed-type.ts';
import { FeedFault } from '../contract/feed.ts';
import { commonFields, secretField, streamFields, urlField } from '../contract/fields.ts';
import type { SecretReference } from '../contract/secrets.ts';
import {
  openEventStream,
  type EventStream,
  type EventStreamLimits,
  type Refusal,
} from '../net/event-stream.ts';
import { createFetch, type FetchRequest, type Fetched } from '../net/fetch-limited.ts';
import { fieldsOf, parseJson } from '../shapes/as-record.ts';

/** An address of the public listener, where it is reached over HTTP. */
const protocols = ['https:', 'http:'];

/** The fields of the configuration. */
export const pizarraSchema = v.object({
  ...commonFields('pizarra', { staleAfterSeconds: 60 }),
  ...streamFields({ url: '', protocols }),
  /** The address of the other Pizarra, with its base path if it has one. There is no public one. */
  url: urlField(protocols),
  /** A key of it with the scope `read`. */
  key: secretField(),
});

/** The configuration of a feed that follows another Pizarra. */
export type PizarraConfig = v.Infer<typeof pizarraSchema>;

/** The parameters of a request, in their order. */
export type OriginParams = Readonly<Record<string, string>>;

/** The Pizarra that is followed, as its clients see it. */
export interface Origin {
  /**
   * Requests one path of its public listener, such as `/especies.json`.
   *
   * @throws FeedFault that says what to do.
   */
  read(
    request: { readonly path: string; readonly params?: OriginParams } & Omit<FetchRequest, 'url'>,
    signal: AbortSignal,
  ): Promise<Fetched>;
  /**
   * Opens one of its streams.
   *
   * @param request.after the id of the last event that was received; undefined for all current quotes.
   * @throws FeedFault that says what to do.
   */
  stream(
    request: {
      readonly path: string;
      readonly params: OriginParams;
      readonly after: string | undefined;
      readonly limits: EventStreamLimits;
    },
    signal: AbortSignal,
  ): Promise<EventStream>;
}

/** How the origin is reached. */
interface OriginAddress {
  /** Its address, with the base path if it has one. */
  readonly url: string;
  /** A key of it with the scope `read`. Read again for each request, so a replaced key takes effect. */
  readonly key: SecretReference;
}

/** Creates the client of an origin. Connects to nothing yet. */
export function askOrigin({ url, key }: OriginAddress, deps: FeedDeps): Origin {
  const { clock, fetchLimits, network, secrets } = deps;
  const fetch = createFetch({ clock, limits: fetchLimits, network });
  const authorization = (): Readonly<Record<string, string>> => ({
    authorization: `Bearer ${secrets.read(key)}`,
  });
  return {
    async read({ path, params = {}, headers = {}, ...request }, signal) {
      const target = originUrl(url, path, params);
      const all = { ...headers, ...authorization() };
      return await fetch(
        { ...request, url: target, headers: all, explain: explainedAlone },
        signal,
      );
    },
    async stream({ path, params, after, limits }, signal) {
      const headers = {
        ...authorization(),
        ...(after === undefined ? {} : { 'last-event-id': after }),
      };
      const target = originUrl(url, path, params);
      const request = { url: target, headers, limits, explain: explained };
      return await openEventStream(request, { clock, network }, signal);
    },
  };
}

/** As {@link explained}, without the text of the origin. */
function explainedAlone(fault: FeedFault): FeedFault {
  return explained({ fault, body: '' });
}

/** The URL of a path of the origin, whose address may have a base path. */
export function originUrl(base: string, path: string, params: OriginParams): URL {
  const url = new URL(base);
  url.pathname = `${url.pathname.replace(/\/+$/, '')}${path}`;
  url.search = new URLSearchParams(params).toString();
  url.hash = '';
  return url;
}

/** What an operator can do about a status of the origin. */
const advice: Readonly<Record<number, string>> = {
  400: 'it may be an older version of Pizarra, or permit fewer tickers in a request',
  401: 'its key is wrong, has expired or was revoked, or has another scope than read: create one there with `pizarra keys create`',
  403: 'it refuses plain HTTP from another machine: use its https: address',
  404: 'no Pizarra is at this address, or it is an older version: url is the part before /cotizaciones',
  429: 'the plan of the key is too small, or the key has too many streams: give it a larger plan or a key of its own',
};

/** The fault with what an operator can do about it, and the text of the origin. */
export function explained({ fault, body }: Refusal): FeedFault {
  const { code, status, retryAfterMs, systemCode, isLate, cause } = fault;
  const hint =
    code === 'untrusted'
      ? 'name the file of its authority as ca'
      : status === undefined
        ? undefined
        : advice[status];
  const { error } = fieldsOf(parseJson(body));
  const said = typeof error === 'string' ? ` (${error.slice(0, 200)})` : '';
  if (hint === undefined && said === '') return fault;
  const message = `${fault.message}${said}${hint === undefined ? '' : `; ${hint}`}`;
  return new FeedFault(code, message, { retryAfterMs, systemCode, status, isLate, cause });
}

/** Requests of the plan that are left to the other requests of the feed. */
const reserved = 2;

/** The longest wait for a plan to refill, in seconds. */
const restSecondsMax = 60;

/**
 * How long to wait before the next of many requests, in milliseconds, by the field `RateLimit` of a response:
 * the remaining requests `r` and the seconds `t` until there are more. 0 without a limit.
 */
export function restMs(rateLimit: string | undefined): number {
  const items = rateLimit?.split(',') ?? [];
  const rests = items.map((item) => {
    const remaining = numberOf(item, 'r');
    const seconds = numberOf(item, 't');
    if (remaining === undefined || remaining > reserved) return 0;
    return Math.min(seconds ?? 1, restSecondsMax) * 1_000;
  });
  return Math.max(0, ...rests);
}

function numberOf(item: string, name: string): number | undefined {
  const value = new RegExp(`;\\s*${name}=(\\d{1,9})(?:;|\\s|$)`).exec(item)?.[1];
  return value === undefined ? undefined : Number(value);
}

/** The field of a request to `/healthz` by which a follower asks what the origin follows itself. */
export const followerField = 'pizarra-follower';

/** The maximum number of services that are followed through an origin. Real chains are of two or three. */
const chainMax = 64;

/** The field of the response: the ids of the services that the origin follows, directly and through others. */
export const originsField = 'pizarra-origins';

const idForm = /^[\w-]{1,64}$/;

/** Whether a text has the form of the id of a running service. */
export function isServiceId(text: string): boolean {
  return idForm.test(text);
}

/**
 * The ids of all services that are followed through an origin, itself first.
 *
 * @param own the id of this running service.
 * @throws FeedFault `refused` if this service is one of them: services that follow one another in a loop have no
 *   source, and each would look fresh because of the other.
 */
export function chainOf(
  own: string,
  { instance, origins = '' }: { readonly instance: string; readonly origins: string | undefined },
): readonly string[] {
  if (instance === own) {
    throw new FeedFault('refused', 'the origin is this service itself: correct url');
  }
  const further = origins.split(' ').filter(isServiceId);
  if (!further.includes(own)) return [instance, ...further.slice(0, chainMax)];
  throw new FeedFault(
    'refused',
    'the origin follows this service, directly or through others: a loop has no source of prices, so remove one of its feeds',
  );
}
