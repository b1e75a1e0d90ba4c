type Headers = readonly (readonly [string, string])[];

/** What is left of the limit of a key. */
export interface RateLimit {
  /** The requests that are available now. */
  readonly remaining: number;
  /** The requests of the whole quota. Undefined if the response does not tell. */
  readonly quota?: number;
  /** The seconds until the whole quota is available. */
  readonly resetSeconds?: number;
}

/** The limit that a response reports. Undefined without one: then the key has none. */
export function rateLimitOf(headers: Headers): RateLimit | undefined {
  const remaining = parameterOf(headers, 'ratelimit', 'r');
  if (remaining === undefined) return undefined;
  const quota = parameterOf(headers, 'ratelimit-policy', 'q');
  const resetSeconds = parameterOf(headers, 'ratelimit', 't');
  return {
    remaining,
    ...(quota === undefined ? {} : { quota }),
    ...(resetSeconds === undefined ? {} : { resetSeconds }),
  };
}

/** The value of a header. Names of headers are in lower case. */
export function headerOf(headers: Headers, name: string): string | undefined {
  return headers.find(([one]) => one === name)?.[1];
}

/** An integer parameter of a structured field, such as `r` of `"free";r=12;t=8`. */
function parameterOf(headers: Headers, header: string, name: string): number | undefined {
  const [, digits] = new RegExp(`;\\s*${name}=(\\d+)`).exec(headerOf(headers, header) ?? '') ?? [];
  return digits === undefined ? undefined : Number(digits);
}
