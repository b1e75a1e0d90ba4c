/** How a path of the service is requested. */
export interface ServiceRequest {
  /** Sent only in the `Authorization` header. Absent for paths that need none. */
  readonly key?: string | undefined;
  readonly signal?: AbortSignal | undefined;
  readonly headers?: Readonly<Record<string, string>>;
  readonly cache?: RequestCache;
}

/** A request that was sent before the code of the page was loaded. */
interface EarlyRequest {
  readonly key: string | undefined;
  readonly response: Promise<Response>;
  readonly stop: AbortController;
}

declare global {
  /** The requests that nobody has taken yet, by path. A script of the page shares it with the code. */
  // A property of the global object is declared with `var`.
  // oxlint-disable-next-line no-var
  var pizarraEarly: Map<string, EarlyRequest> | undefined;
}

/** Requests a path of the service, or takes the same request if it was sent early. */
export function requestService(path: string, request: ServiceRequest = {}): Promise<Response> {
  return takeEarly(path, request) ?? send(path, request);
}

/** Sends a request whose response the code of the page takes once it is loaded. */
export function sendEarly(path: string, request: Omit<ServiceRequest, 'signal'>): void {
  const stop = new AbortController();
  const response = send(path, { ...request, signal: stop.signal });
  // Whoever takes the response handles its failure.
  response.catch(() => {});
  globalThis.pizarraEarly ??= new Map();
  globalThis.pizarraEarly.set(path, { key: request.key, response, stop });
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

function takeEarly(path: string, { key, signal }: ServiceRequest): Promise<Response> | undefined {
  const early = globalThis.pizarraEarly?.get(path);
  if (early === undefined || early.key !== key || signal?.aborted === true) return undefined;
  globalThis.pizarraEarly?.delete(path);
  signal?.addEventListener('abort', () => early.stop.abort());
  return early.response;
}

function send(
  path: string,
  { key, signal, headers = {}, cache = 'default' }: ServiceRequest,
): Promise<Response> {
  return fetch(serviceUrl(path), {
    headers: { ...authorization(key), ...headers },
    cache,
    signal: signal ?? null,
  });
}

/** The absolute URL of a path of the service. The paths are relative to this page. */
export function serviceUrl(path: string): string {
  return new URL(path.replace(/^\//, ''), document.baseURI).href;
}

/** The `Authorization` header, or no header without a key, for paths that need none. */
export function authorization(key: string | undefined): Record<string, string> {
  return key === undefined ? {} : { authorization: `Bearer ${key}` };
}
