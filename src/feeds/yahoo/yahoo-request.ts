/** The source answers 429 to a client without the usual prefix of a browser. */
export const requestHeaders = { 'user-agent': 'Mozilla/5.0 (compatible; Pizarra)' };

/** The limits of the source are not published. This is one request a second. */
export const spacingMs = 1_000;
