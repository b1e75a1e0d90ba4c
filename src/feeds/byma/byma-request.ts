/**
 * The pause from one request to the next, in milliseconds. The source does not publish its limit. A
 * client that exceeds it gets no response to any connection for some time.
 */
export const spacingMs = 1_500;

/** The path of a resource. */
export function pathOf(name: string): string {
  return `/vanoms-be-core/rest/api/bymadata/free/${name}`;
}

/** The headers of every request: the source answers the pages of its own site only. */
export function requestHeaders(url: string): Readonly<Record<string, string>> {
  const { origin } = new URL(url);
  return {
    accept: 'application/json',
    'content-type': 'application/json',
    origin,
    referer: `${origin}/`,
  };
}
