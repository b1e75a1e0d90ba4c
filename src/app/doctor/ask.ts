import type { X509Certificate } from 'node:crypto';
import { get as getHttp } from 'node:http';
import type { IncomingMessage } from 'node:http';
import { get as getHttps } from 'node:https';
import { text } from 'node:stream/consumers';
import { TLSSocket } from 'node:tls';

/** Maximum time for a response, in milliseconds. A slower service is reported as wrong. */
export const answerWithinMs = 3_000;

/** The response of a listener. */
export interface Answer {
  readonly status: number;
  readonly body: string;
  /** The certificate that the listener presented. Absent without TLS. */
  readonly certificate: X509Certificate | undefined;
}

/**
 * Requests a URL of a listener on this machine. Any certificate is accepted, because another check
 * compares the certificate, and the request contains no secret.
 *
 * @throws when no response comes within {@link answerWithinMs}.
 */
export async function ask(url: string): Promise<Answer> {
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>();
  const signal = AbortSignal.timeout(answerWithinMs);
  const request = url.startsWith('https:')
    ? getHttps(url, { rejectUnauthorized: false, agent: false, signal }, resolve)
    : getHttp(url, { agent: false, signal }, resolve);
  request.on('error', reject);
  const response = await promise;
  const { socket, statusCode = 0 } = response;
  const certificate = socket instanceof TLSSocket ? socket.getPeerX509Certificate() : undefined;
  return { status: statusCode, body: await text(response), certificate };
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
