import type { X509Certificate } from 'node:crypto';
import { get as getHttp } from 'node:http';
import type { IncomingMessage } from 'node:http';
import { get as getHttps } from 'node:https';
import { text } from 'node:stream/consumers';
import { TLSSocket } from 'node:tls';

/** A service that takes longer to answer is not well. */
export const answerWithinMs = 3_000;

/** What a listener answered. */
export interface Answer {
  readonly status: number;
  readonly body: string;
  /** The certificate that it showed; absent without TLS. */
  readonly certificate: X509Certificate | undefined;
}

/**
 * Asks a listener on this machine for a path. Whatever certificate it shows is accepted: that it is
 * the right one is a check of its own, and nothing secret is sent.
 *
 * @throws when no answer comes within {@link answerWithinMs}.
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

/** A field of a JSON object; undefined when the text is none, or has no such field. */
export function fieldOf(json: string, name: string): unknown {
  try {
    const value: unknown = JSON.parse(json);
    if (typeof value !== 'object' || value === null) return undefined;
    return (value as Record<string, unknown>)[name];
  } catch {
    return undefined;
  }
}
