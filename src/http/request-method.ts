import { METHODS } from 'node:http';
import type { IncomingMessage } from 'node:http';

/** The methods that the router of the framework can look up. */
const routable: ReadonlySet<string> = new Set(METHODS);

/** A method that the router knows and that no route has. */
const standIn = 'TRACE';

/** Methods as they were sent, of requests whose method was replaced. */
const sentMethods = new WeakMap<IncomingMessage, string>();

/**
 * Replaces a method that the framework's router does not know by one that no route has. Node's parser
 * passes on the methods of RTSP, and over HTTP/2 a method is any token; for such a method the router
 * would skip every hook and answer 500. With the stand-in, the request meets the same rules in the same
 * order as any other request with a method that is not served.
 */
export function makeRoutable(request: IncomingMessage): void {
  const { method = '' } = request;
  if (routable.has(method)) return;
  sentMethods.set(request, method);
  request.method = standIn;
}

/** The method of a request as the client sent it. */
export function methodOf(request: IncomingMessage): string {
  return sentMethods.get(request) ?? request.method ?? '';
}
