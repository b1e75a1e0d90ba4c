import type { RateLimit, ResponseNotes } from './result.ts';

/** Reads the fields of a response that concern its data. */
export function notesOf(headers: Headers): ResponseNotes {
  const tickers = parseList(headers.get('missing-especies'));
  const dividends = parseList(headers.get('missing-dividendos'));
  const terms = parseList(headers.get('missing-terminos'));
  const indices = parseList(headers.get('missing-indices'));
  return {
    missing: tickers.names,
    missingOmitted: tickers.omitted,
    missingDividends: dividends.names,
    missingDividendsOmitted: dividends.omitted,
    missingTerms: terms.names,
    missingTermsOmitted: terms.omitted,
    missingIndices: indices.names,
    missingIndicesOmitted: indices.omitted,
    missingRates: Number(headers.get('missing-cambios') ?? 0),
    isSimulated: headers.get('data-source') === 'simulated',
    rateLimit: parseRateLimit(headers.get('ratelimit-policy'), headers.get('ratelimit')),
  };
}

/**
 * Parses `NOEXISTE,OTRA%20MAS,%E2%80%A6+3`: percent-encoded names, and how many more there are (contract
 * 4.1.5).
 */
function parseList(field: string | null): {
  readonly names: readonly string[];
  readonly omitted: number;
} {
  const names: string[] = [];
  let omitted = 0;
  // A proxy may add white space to the list (RFC 9110 section 5.6.1). That of a name is encoded.
  for (const entry of field === null || field === '' ? [] : field.split(/[ \t]*,[ \t]*/)) {
    const more = /^%E2%80%A6\+(\d+)$/i.exec(entry)?.[1];
    if (more === undefined) names.push(decode(entry));
    else omitted = Number(more);
  }
  return { names, omitted };
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** Parses `"free";q=20;w=20` and `"free";r=12;t=8`. */
export function parseRateLimit(policy: string | null, state: string | null): RateLimit | undefined {
  const limits = /^"([^"]*)"; *q=(\d+); *w=(\d+)$/.exec(policy ?? '');
  const left = /; *r=(\d+); *t=(\d+)$/.exec(state ?? '');
  if (limits === null || left === null) return undefined;
  return {
    name: limits[1] ?? '',
    quota: Number(limits[2]),
    windowSeconds: Number(limits[3]),
    remaining: Number(left[1]),
    resetSeconds: Number(left[2]),
  };
}

/** The seconds of a `Retry-After` field, which has a number or a date (RFC 9110 section 10.2.3). */
export function parseRetryAfter(field: string | null, now: number): number | undefined {
  if (field === null) return undefined;
  if (/^\d+$/.test(field)) return Number(field);
  const at = Date.parse(field);
  return Number.isNaN(at) ? undefined : Math.max(0, Math.ceil((at - now) / 1_000));
}
