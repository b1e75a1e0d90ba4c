/**
 * The fields of every response. Quotes are for the holder of a key (`private`) and change at any
 * moment, so a cache must revalidate before it uses one again (`no-cache`). Except for the pages of the
 * playground, which replace these fields, no response is a page: a browser that is made to show one as
 * a page may do nothing with it.
 */
export const standingFields = {
  'cache-control': 'private, no-cache',
  'x-content-type-options': 'nosniff',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
} as const;

/**
 * The fields of every response to a request whose path has the prefix of keys, errors included. The URL
 * is a secret: no cache stores the response (RFC 6750 2.3), no page that shows it names the URL as its
 * referrer, and no search engine that finds the URL lists it.
 */
export const urlKeyFields = {
  'cache-control': 'private, no-store',
  'referrer-policy': 'no-referrer',
  'x-robots-tag': 'noindex',
} as const;
