import { cellOf } from '../cells/json-cell.ts';
import { ImportRefusal } from '../refusals/import-refusal.ts';
import type { Row } from '../cells/table.ts';

/**
 * Maximum number of different keys in the rows of one document. Rows of prices have a dozen keys, a
 * matrix has one for each instrument.
 */
export const jsonKeysMax = 1_000;

/** The keys of the rows so far, in order of appearance, with their columns. */
export class JsonKeys {
  readonly #columns = new Map<string, number>();

  get header(): Row {
    return [...this.#columns.keys()];
  }

  /** The cells of an element; empty when it is not an object. */
  rowOf(value: unknown): Row {
    if (typeof value !== 'object' || value === null) return [];
    const row: string[] = [];
    // Not Object.entries: its arrays would double the cost of this loop, which runs for every row.
    for (const key in value) {
      const column = this.#columns.get(key) ?? this.#add(key);
      while (row.length < column) row.push('');
      row[column] = cellOf((value as Record<string, unknown>)[key]);
    }
    return row;
  }

  #add(key: string): number {
    const column = this.#columns.size;
    if (column === jsonKeysMax) {
      const message = `the rows of the JSON have more than ${jsonKeysMax} different keys`;
      throw new ImportRefusal('too-large', `${message}; rows of prices have the same keys`);
    }
    this.#columns.set(key, column);
    return column;
  }
}
