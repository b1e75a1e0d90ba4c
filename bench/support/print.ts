/** Writes one line for whoever runs a bench. */
export function say(line: string): void {
  process.stdout.write(`${line}\n`);
}

/** A number for people: three digits that count, thousands apart. */
export function figure(value: number): string {
  if (!Number.isFinite(value)) return '–';
  return value.toLocaleString('en', { maximumSignificantDigits: 3 });
}
