import type { X509Certificate } from 'node:crypto';
import { get as getHttp, type IncomingHttpHeaders, type IncomingMessage } from 'node:http';
import { get as getHttps } from 'node:https';
import { text } from 'node:stream/consumers';
import type { TLSSocket } from 'node:tls';

/** Maximum time for a response by default, in milliseconds. A slower service is reported as wrong. */
export const answerWithinMs = 3_000;

/** The response of a listener. */
export interface ListenerResponse {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
  /** The certificate that the listener presented. Absent without TLS. */
  readonly certificate: X509Certificate | undefined;
}

/**
 * Requests a URL of a listener of this installation. Any certificate is accepted, because the request contains
 * no secret. `doctor` compares the certificate in another check.
 *
 * @throws when no response comes in time.
 */
export async function ask(
  url: string,
  { withinMs = answerWithinMs }: { readonly withinMs?: number } = {},
): Promise<ListenerResponse> {
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>();
  const signal = AbortSignal.timeout(withinMs);
  const request = url.startsWith('https:')
    ? getHttps(url, { rejectUnauthorized: false, agent: false, signal }, resolve)
    : getHttp(url, { agent: false, signal }, resolve);
  request.on('error', reject);
  const response = await promise;
  const { socket, statusCode = 0 } = response;
  const certificate = (socket as Partial<TLSSocket>).getPeerX509Certificate?.();
  const { headers } = response;
  return { status: statusCode, headers, body: await text(response), certificate };
}

/** A field of a JSON object. Gives undefined when the text is not an object, or lacks the field. */
export function fieldOf(json: string, name: string): unknown {
  try {
    const value: unknown = JSON.parse(json);
    if (typeof value !== 'object' || value === null) return undefined;
    return (value as Record<string, unknown>)[name];
  } catch {
    return undefined;
  }
}

/** Whether a response of the public `/healthz` says that the node is alive, and behind the others. */
export function isBehind({ status, body }: Pick<ListenerResponse, 'status' | 'body'>): boolean {
  return status === 503 && fieldOf(body, 'estado') === 'atrasado';
}
