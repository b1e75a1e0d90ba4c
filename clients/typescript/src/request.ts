import { PizarraResponseError } from './errors.ts';
import { exchange, type Reply } from './exchange.ts';
import { withRequestOptions, type Connection, type RequestOptions } from './options.ts';
import type { ResponseCache } from './response-cache.ts';
import { notesOf } from './response-notes.ts';
import type { Result } from './result.ts';

/**
 * The header with the key.
 *
 * @throws TypeError when the key cannot be sent in a header.
 */
export async function authorization(connection: Connection): Promise<Record<string, string>> {
  const key = await connection.key();
  // The message does not repeat the key, which would end up in logs.
  if (!/^[\x21-\x7e]+$/.test(key)) {
    throw new TypeError('The key is empty, or has spaces or characters that no key has.');
  }
  return { authorization: `Bearer ${key}` };
}

/** A request whose response is read into a value. */
export interface GetRequest<T> {
  readonly url: string;
  /** The media type of the response. */
  readonly type: string;
  /** Reads the body. It throws if the body is not what the contract describes. */
  readonly read: (body: string) => T;
  readonly headers?: Readonly<Record<string, string>>;
  readonly cache?: ResponseCache;
  readonly options: RequestOptions;
}

/**
 * Requests a value, or confirms the cached one.
 *
 * @throws as {@link exchange} does, and PizarraResponseError for a response of another service.
 */
export async function get<T>(connection: Connection, request: GetRequest<T>): Promise<Result<T>> {
  const { url, type, cache, options } = request;
  const known = cache?.get(url);
  const conditional = known === undefined ? {} : { 'if-none-match': known.etag };
  const headers = { ...request.headers, ...conditional, accept: type };
  const { signal } = options;
  const call = { url, headers, signal };
  return await exchange(withRequestOptions(connection, options), call, (reply) => {
    const notes = notesOf(reply.headers);
    if (reply.status === 304) {
      if (known === undefined) throw new PizarraResponseError(`304 to a plain request for ${url}`);
      // Only this method fills the cache, by address, so the value has the type that `read` gave it.
      return { ...notes, data: known.data as T, isUnchanged: true };
    }
    const data = readReply(reply, request);
    const etag = reply.headers.get('etag');
    if (etag !== null) cache?.put(url, { etag, data }, reply.body.length);
    return { ...notes, data, isUnchanged: false };
  });
}

function readReply<T>({ headers, body }: Reply, { url, type, read }: GetRequest<T>): T {
  const received = headers.get('content-type') ?? 'nothing';
  if (received.split(';')[0] !== type) {
    throw new PizarraResponseError(`${url} answered ${received} instead of ${type}`);
  }
  try {
    return read(body);
  } catch (cause) {
    throw new PizarraResponseError(`${url} answered a body that cannot be read`, { cause });
  }
}
