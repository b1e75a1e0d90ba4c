/** The files of a universe, by the names they have in its directory. */
export const universeFiles = {
  instruments: 'instruments.csv',
  markets: 'markets.yaml',
  panels: 'panels.yaml',
  derived: 'derived.yaml',
} as const;

/** One thing wrong with a universe: where, what stands there, and what would be valid. */
export interface UniverseFault {
  /** The file's name in the universe's directory, or the directory itself when it is missing. */
  readonly file: string;
  /** From 1; 0 when the file as a whole is meant. */
  readonly line: number;
  /** Of a YAML file the character, of a CSV file the cell, from 1; 0 when a whole line is meant. */
  readonly column: number;
  /** The offending text as it stands in the file; empty when something is missing. */
  readonly value: string;
  /** A sentence for the operator: what is wrong and what would be valid. */
  readonly message: string;
}

/** A text of a file with the place it stands at, for faults that only other files bring to light. */
export interface Located {
  readonly value: string;
  readonly line: number;
  readonly column: number;
}

/** Names what would be valid: at most so many of them, for a list of 100,000 helps nobody. */
export function listed(values: Iterable<string>): string {
  const all = [...values];
  if (all.length === 0) return 'none';
  const shown = all.slice(0, listedMax).join(', ');
  return all.length > listedMax ? `${shown} and ${all.length - listedMax} more` : shown;
}

const listedMax = 30;
