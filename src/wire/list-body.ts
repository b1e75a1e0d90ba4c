import type { Instrument } from '../domain/instrument.ts';

/** Lists of instruments are immutable and live as long as their universe, and so do their texts. */
const rendered = new WeakMap<readonly Instrument[], string>();

/**
 * The body of `/especies.txt`: one ticker a line in the order given, with a final newline.
 *
 * Source: decisions row 16.
 */
export function listText(instruments: readonly Instrument[]): string {
  const known = rendered.get(instruments);
  if (known !== undefined) return known;
  const text = instruments.map(({ ticker }) => `${ticker}\n`).join('');
  rendered.set(instruments, text);
  return text;
}
