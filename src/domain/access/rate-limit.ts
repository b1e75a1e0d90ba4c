/** How many requests a client may make: a sustained rate and a burst. */
export interface RateLimit {
  /** Number of requests allowed in each period of `seconds`. */
  readonly requests: number;
  readonly seconds: number;
  /** Number of requests that may arrive at once after a pause. */
  readonly burst: number;
}

/** What a client is allowed: a rate limit, or no limit. */
export type Allowance = RateLimit | 'unlimited';

const unitSeconds: ReadonlyMap<string, number> = new Map([
  ['s', 1],
  ['min', 60],
  ['h', 3_600],
  ['day', 86_400],
]);

/** The syntax of an allowance, for error messages. */
export const allowanceForm = '"60/min burst 20" (per s, min, h or day), "60/min", or "unlimited"';

const limitText = '([1-9]\\d{0,6}) */ *(s|min|h|day)(?: +burst +([1-9]\\d{0,6}))?';

/** The pattern of a rate limit. */
export const rateLimitPattern = `^\\s*(?:${limitText})\\s*$`;

/** The pattern of an allowance. */
export const allowancePattern = `^\\s*(?:unlimited|${limitText})\\s*$`;

const allowances = new RegExp(allowancePattern);

/**
 * Parses `60/min burst 20`, `10/s` or `unlimited`. The default burst is the number of requests of
 * one period. Returns undefined for any other text.
 */
export function parseAllowance(text: string): Allowance | undefined {
  const match = allowances.exec(text);
  if (match === null) return undefined;
  if (match[1] === undefined) return 'unlimited';
  const seconds = unitSeconds.get(match[2] ?? '');
  if (seconds === undefined) return undefined;
  const requests = Number(match[1]);
  return { requests, seconds, burst: Number(match[3] ?? requests) };
}

/** Formats an allowance so that {@link parseAllowance} reads the same allowance back. */
export function formatAllowance(allowance: Allowance): string {
  if (allowance === 'unlimited') return 'unlimited';
  const { requests, seconds, burst } = allowance;
  const unit = [...unitSeconds].find(([, length]) => length === seconds)?.[0] ?? `${seconds}s`;
  return burst === requests ? `${requests}/${unit}` : `${requests}/${unit} burst ${burst}`;
}

/**
 * The part of a limit that one of several nodes enforces. All parts together allow what the limit does. Only a
 * burst of fewer requests than there are nodes is exceeded, because every part allows one request at once.
 */
export function partOf({ requests, seconds, burst }: RateLimit, nodes: number): RateLimit {
  return { requests, seconds: seconds * nodes, burst: Math.max(1, Math.floor(burst / nodes)) };
}

/** The time in which the allowance of one request refills, in milliseconds. */
export function refillMs({ requests, seconds }: RateLimit): number {
  return (seconds * 1_000) / requests;
}
