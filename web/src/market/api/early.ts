/** A request that was sent before the code of the page was loaded. */
interface EarlyRequest {
  readonly authorization: string | undefined;
  readonly response: Promise<Response>;
  readonly stop: AbortController;
}

declare global {
  /** The requests that nobody has taken yet, by address. A script of the page shares it with the code. */
  // A property of the global object is declared with `var`.
  // oxlint-disable-next-line no-var
  var pizarraEarly: Map<string, EarlyRequest> | undefined;
}

/** The absolute URL of a path of the service. The paths are relative to this page. */
export function serviceUrl(path: string): string {
  return new URL(path.replace(/^\//, ''), document.baseURI).href;
}

/** The service sends a comment after this time without data, and up to half a second later. */
export const heartbeat = '2s';

/** The path of the stream of a selection, as the client requests it. */
export function streamPath(selection: string): string {
  return `/cotizaciones/stream?${selection}&latido=${heartbeat}`;
}

/** The `Authorization` header, or no header without a key, for paths that need none. */
export function authorization(key: string | undefined): Record<string, string> {
  return key === undefined ? {} : { authorization: `Bearer ${key}` };
}

/** Sends a request whose response the code of the page takes once it is loaded. */
export function sendEarly(path: string, key?: string): void {
  const stop = new AbortController();
  const headers = authorization(key);
  // One of the requests is a stream. With the HTTP cache, a second tab would wait until it ends.
  const response = fetch(serviceUrl(path), { headers, signal: stop.signal, cache: 'no-store' });
  // The code that takes the response handles its failure. Without this, the browser would report it as unhandled.
  response.catch(() => {});
  globalThis.pizarraEarly ??= new Map();
  const { authorization: sent } = headers;
  globalThis.pizarraEarly.set(serviceUrl(path), { authorization: sent, response, stop });
}

/** Whether requests were sent early. */
export function hasEarly(): boolean {
  return globalThis.pizarraEarly !== undefined;
}

/** Gives up the early requests that nobody has taken. */
export function endEarly(): void {
  for (const { stop } of globalThis.pizarraEarly?.values() ?? []) stop.abort();
  globalThis.pizarraEarly = undefined;
}

/** Sends a request of the client, or takes the same request if it was sent early. */
export const fetchOnce: typeof fetch = (input, init) => {
  // The client passes URLs as text, never a `Request`.
  const url = input as string;
  const early = globalThis.pizarraEarly?.get(url);
  const { authorization: wanted } = (init?.headers ?? {}) as Readonly<Record<string, string>>;
  const signal = init?.signal;
  if (early === undefined || early.authorization !== wanted || signal?.aborted === true) {
    return fetch(input, init);
  }
  globalThis.pizarraEarly?.delete(url);
  signal?.addEventListener('abort', () => early.stop.abort());
  return early.response;
};
