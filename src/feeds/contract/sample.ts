/** The maximum length of a sample, in characters. */
const sampleCharsMax = 160;

/** The maximum length of a symbol, in characters. */
const symbolCharsMax = 80;

/** A rejection with a shortened sample of what was received. */
export function reject<Reason extends string>(
  reason: Reason,
  value: unknown,
  symbol?: string,
): { readonly reason: Reason; readonly sample: string; readonly symbol?: string } {
  return {
    reason,
    sample: sampleOf(value),
    ...(symbol === undefined ? {} : { symbol: symbol.slice(0, symbolCharsMax) }),
  };
}

/** A value on one line of bounded length, for the log. */
function sampleOf(value: unknown): string {
  const text = typeof value === 'string' ? value : (JSON.stringify(value) ?? String(value));
  const line = text.replaceAll(/\s+/g, ' ');
  return line.length > sampleCharsMax ? `${line.slice(0, sampleCharsMax)}…` : line;
}
