import type { IncomingMessage } from 'node:http';

/**
 * Whether a request came over HTTP/2. Its version does not say so: Node's parser accepts `HTTP/2.0` in
 * the request line of an HTTP/1.1 connection.
 */
export function isHttp2(request: IncomingMessage): boolean {
  return 'stream' in request;
}

/** Whether the version of a request is one that its connection can carry. */
export function isKnownVersion(request: IncomingMessage): boolean {
  const { httpVersion } = request;
  return isHttp2(request) || httpVersion === '1.1' || httpVersion === '1.0';
}
