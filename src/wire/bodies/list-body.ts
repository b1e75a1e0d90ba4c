import type { Instrument } from '../../domain/instruments/instrument.ts';

/**
 * The body of `/especies.txt`: one ticker per line, in the order given, with a final newline
 * (contract 4.3.1).
 */
export function listText(instruments: readonly Instrument[]): string {
  return instruments.map(({ ticker }) => `${ticker}\n`).join('');
}
