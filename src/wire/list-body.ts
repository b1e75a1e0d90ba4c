import type { Instrument } from '../domain/instrument.ts';

/**
 * The body of `/especies.txt`: one ticker a line in the order given, with a final newline.
 *
 * Source: decisions row 16.
 */
export function listText(instruments: readonly Instrument[]): string {
  return instruments.map(({ ticker }) => `${ticker}\n`).join('');
}
