import { PizarraHttpError } from '../../../../clients/typescript/src/errors.ts';
import { connectionTo, type Connection } from '../../../../clients/typescript/src/options.ts';
import { get } from '../../../../clients/typescript/src/request.ts';
import type { Result } from '../../../../clients/typescript/src/result.ts';
import { usableKey } from '../../key/api-key.ts';
import { authorization, fetchOnce, serviceUrl } from './early.ts';

/** The service sent an error, with its text. */
export interface Refusal {
  readonly kind: 'refused';
  readonly status: number;
  readonly message: string;
}

/** The reason why a request failed. */
export type Failure =
  | Refusal
  /** The service did not respond. */
  | { readonly kind: 'unreachable' };

/** The result of a request. */
export type Outcome<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly failure: Failure };

/** The failure of an error of the client. An error without a status of the service is one of the network or a proxy. */
export function failureOf(error: unknown): Failure {
  if (!(error instanceof PizarraHttpError)) return { kind: 'unreachable' };
  const { status, text } = error;
  const message = text === '' ? `El servicio respondió con el estado ${status}.` : text;
  return { kind: 'refused', status, message };
}

/** Whether the same request may succeed later: the service was unreachable, stopping or overloaded. */
export function isPassing(failure: Failure): boolean {
  return failure.kind === 'unreachable' || failure.status === 429 || failure.status >= 500;
}

/** Longest time of one request, in milliseconds. A large body takes long on a slow network. */
const responseMsMax = 60_000;

/** The longest wait for the next attempt, unless the service asks for a longer one. In milliseconds. */
const waitMsMax = 3_000;

/** Its event `wake` says that the service may be reachable now, or that the visitor wants it to be tried. */
export const attempts = new EventTarget();

/** Reconnects broken and silent connections at once. */
export function reconnectNow(): void {
  attempts.dispatchEvent(new Event('wake'));
}

/** Connects again when the network is back, and when the machine or the tab wakes. */
export function watchNetwork(): void {
  window.addEventListener('online', reconnectNow);
  window.addEventListener('pageshow', ({ persisted }) => {
    // A page that is loaded connects anyway. One that comes back from the history has a dead connection.
    if (persisted) reconnectNow();
  });
  document.addEventListener('resume', reconnectNow);
  document.addEventListener('visibilitychange', () => {
    if (document.visibilityState === 'visible') reconnectNow();
  });
}

/** How the client reaches the service of this page, with the key of this tab. It tries again until it succeeds. */
export function connection(): Connection {
  return connectionTo(new URL(serviceUrl('')), {
    key: usableKey.peek() ?? '',
    retry: {
      attemptsMax: Number.POSITIVE_INFINITY,
      waitMsMax,
      isTemporary: (error) => isPassing(failureOf(error)),
    },
    fetch: fetchOnce,
    wake: attempts,
  });
}

/** Options of a request. */
interface RequestOptions {
  /** Whether the path needs no key. By default the key of this tab is sent, in the `Authorization` header alone. */
  readonly isPublic?: boolean;
  readonly signal?: AbortSignal;
  /** Whether a failure ends the request. By default it is sent again until it succeeds, or the service refuses it. */
  readonly isOnce?: boolean;
  /** Receives each failure after which the request is sent again. */
  readonly onFailure?: ((failure: Failure) => void) | undefined;
  readonly timeoutMs?: number;
}

/** Requests a path whose response is JSON, with what its headers say. */
export function fetchResult<T>(
  path: string,
  options?: RequestOptions,
): Promise<Outcome<Result<T>>> {
  return read(path, options, 'application/json', (body) => JSON.parse(body) as T);
}

/** Requests a path whose response is JSON. */
export async function fetchJson<T>(path: string, options?: RequestOptions): Promise<Outcome<T>> {
  const outcome = await fetchResult<T>(path, options);
  return outcome.ok ? { ok: true, value: outcome.value.data } : outcome;
}

/** Requests the tickers of a selection, in their order. */
export async function fetchTickers(
  query: string,
  options: RequestOptions,
): Promise<Outcome<readonly string[]>> {
  const outcome = await read(`/especies.txt?${query}`, options, 'text/plain', linesOf);
  return outcome.ok ? { ok: true, value: outcome.value.data } : outcome;
}

function linesOf(body: string): readonly string[] {
  return body.split('\n').filter((line) => line !== '');
}

async function read<T>(
  path: string,
  {
    isPublic = false,
    signal,
    isOnce = false,
    onFailure,
    timeoutMs = responseMsMax,
  }: RequestOptions = {},
  type: string,
  readBody: (body: string) => T,
): Promise<Outcome<Result<T>>> {
  const service = connection();
  const retry = {
    ...(isOnce ? { attemptsMax: 1 } : {}),
    onRetry: (error: Error) => onFailure?.(failureOf(error)),
  };
  try {
    const value = await get<T>(service, {
      url: service.base + path,
      headers: authorization(isPublic ? undefined : usableKey.peek()),
      type,
      read: readBody,
      options: { signal, timeoutMs, retry },
    });
    return { ok: true, value };
  } catch (error) {
    return { ok: false, failure: failureOf(error) };
  }
}
