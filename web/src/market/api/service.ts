import { requestService } from './service-request.ts';

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

/** Whether the same request may succeed later: the service was unreachable, stopping or overloaded. */
export function isPassing(failure: Failure): boolean {
  return failure.kind === 'unreachable' || failure.status === 429 || failure.status >= 500;
}

/** Options of a request. */
interface RequestOptions {
  /** Sent only in the `Authorization` header. */
  readonly key?: string | undefined;
  readonly signal?: AbortSignal;
}

/** Requests a path whose response is JSON. */
export function fetchJson<T>(path: string, options: RequestOptions = {}): Promise<Outcome<T>> {
  return fetchBody(path, options, async (response) => (await response.json()) as T);
}

/** Requests a path whose response is plain text. */
export function fetchText(path: string, options: RequestOptions = {}): Promise<Outcome<string>> {
  return fetchBody(path, options, (response) => response.text());
}

/** Requests a path. `read` makes the result of a response that is no error. */
export async function fetchBody<T>(
  path: string,
  { key, signal }: RequestOptions,
  read: (response: Response) => Promise<T>,
): Promise<Outcome<T>> {
  try {
    const response = await requestService(path, { key, signal });
    if (!response.ok) return { ok: false, failure: await readRefusal(response) };
    return { ok: true, value: await read(response) };
  } catch {
    return { ok: false, failure: { kind: 'unreachable' } };
  }
}

/** The error text of the service. */
export async function readRefusal(response: Response): Promise<Refusal> {
  const body = (await response.json().catch(() => ({}))) as { readonly error?: unknown };
  const message =
    typeof body.error === 'string'
      ? body.error
      : `El servicio respondió con el estado ${response.status}.`;
  return { kind: 'refused', status: response.status, message };
}
