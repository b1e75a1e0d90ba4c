/** How many requests one client may make: a rate, and how many of them at once. */
export interface RateLimit {
  /** Requests in each `seconds`, over time. */
  readonly requests: number;
  readonly seconds: number;
  /** Requests that may come at once after a pause. */
  readonly burst: number;
}

/** What a client may do: a limit, or as it likes. */
export type Allowance = RateLimit | 'unlimited';

const unitSeconds: ReadonlyMap<string, number> = new Map([
  ['s', 1],
  ['min', 60],
  ['h', 3_600],
  ['day', 86_400],
]);

/** What a text must be to be an allowance, for messages. */
export const allowanceForm = '"60/min burst 20" (per s, min, h or day), "60/min", or "unlimited"';

/**
 * Reads `60/min burst 20`, `10/s` or `unlimited`. Without a burst, the requests of a whole unit may
 * come at once. Gives undefined for anything else.
 */
export function parseAllowance(text: string): Allowance | undefined {
  const wanted = text.trim();
  if (wanted === 'unlimited') return 'unlimited';
  const match = /^([1-9]\d{0,6}) *\/ *(s|min|h|day)(?: +burst +([1-9]\d{0,6}))?$/.exec(wanted);
  const seconds = unitSeconds.get(match?.[2] ?? '');
  if (match === null || seconds === undefined) return undefined;
  const requests = Number(match[1]);
  return { requests, seconds, burst: Number(match[3] ?? requests) };
}

/** The text that {@link parseAllowance} reads as the same allowance. */
export function formatAllowance(allowance: Allowance): string {
  if (allowance === 'unlimited') return 'unlimited';
  const { requests, seconds, burst } = allowance;
  const unit = [...unitSeconds].find(([, length]) => length === seconds)?.[0] ?? `${seconds}s`;
  return burst === requests ? `${requests}/${unit}` : `${requests}/${unit} burst ${burst}`;
}

/** How long one request's worth of allowance takes to come back, in milliseconds. */
export function refillMs({ requests, seconds }: RateLimit): number {
  return (seconds * 1_000) / requests;
}
