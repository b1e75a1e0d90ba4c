import type { Rejected, RejectionReason } from './feed.ts';

/** The maximum length of a sample, in characters. */
const sampleCharsMax = 160;

/** A rejection with a shortened sample of what was received. */
export function reject(reason: RejectionReason, value: unknown, symbol?: string): Rejected {
  return { reason, sample: sampleOf(value), ...(symbol === undefined ? {} : { symbol }) };
}

/** A value on one line of bounded length, for the log. */
function sampleOf(value: unknown): string {
  const text = typeof value === 'string' ? value : (JSON.stringify(value) ?? String(value));
  const line = text.replaceAll(/\s+/g, ' ');
  return line.length > sampleCharsMax ? `${line.slice(0, sampleCharsMax)}…` : line;
}
