/** Why the service did not answer as asked. */
export type Failure =
  /** It answered with an error, in its own words. */
  | { readonly kind: 'refused'; readonly status: number; readonly message: string }
  /** It did not answer at all. */
  | { readonly kind: 'unreachable' };

/** What came of a request. */
export type Outcome<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly failure: Failure };

/** The absolute address of a path of the service, which lies beside this page. */
export function serviceUrl(path: string): string {
  return new URL(path.replace(/^\//, ''), document.baseURI).href;
}

/** The headers that open the service: none without a key, for its open paths. */
export function authorization(key: string | undefined): Record<string, string> {
  return key === undefined ? {} : { authorization: `Bearer ${key}` };
}

/** What a request may carry. */
interface RequestOptions {
  /** Sent in the `Authorization` header, and nowhere else. */
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

async function fetchBody<T>(
  path: string,
  { key, signal }: RequestOptions,
  read: (response: Response) => Promise<T>,
): Promise<Outcome<T>> {
  try {
    const response = await fetch(serviceUrl(path), {
      headers: authorization(key),
      ...(signal === undefined ? {} : { signal }),
    });
    if (!response.ok) return { ok: false, failure: await readRefusal(response) };
    return { ok: true, value: await read(response) };
  } catch {
    return { ok: false, failure: { kind: 'unreachable' } };
  }
}

/** The service's own words about why not. */
export async function readRefusal(response: Response): Promise<Failure> {
  const body = (await response.json().catch(() => ({}))) as { readonly error?: unknown };
  const message =
    typeof body.error === 'string'
      ? body.error
      : `El servicio respondió con el estado ${response.status}.`;
  return { kind: 'refused', status: response.status, message };
}
