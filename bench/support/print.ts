/** Prints one line. */
export function say(line: string): void {
  process.stdout.write(`${line}\n`);
}

/** Formats a number with three significant digits and thousands separators. */
export function figure(value: number): string {
  if (!Number.isFinite(value)) return '–';
  return value.toLocaleString('en', { maximumSignificantDigits: 3 });
}
