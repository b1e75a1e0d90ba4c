import {
  differenceCsvHeader,
  differenceObject,
  formatDifference,
  formatDifferenceCsv,
} from '../../operator/history/difference-text.ts';
import type { CloseConflict } from '../../domain/history/offered-close.ts';
import { print, printCsv, printError } from '../terminal/print.ts';

/** The format of the differences on standard output. */
export type DifferenceFormat = 'text' | 'json' | 'csv';

/**
 * Writes differences to standard output as they are found. With `json` and `csv`, standard output has
 * nothing else, and the summary goes to standard error.
 */
export interface DifferenceOutput {
  write(differences: readonly CloseConflict[]): void;
  finish(summary: string): void;
}

/** Where the output is written. */
interface Writers {
  readonly print: (text: string) => void;
  readonly printCsv: (text: string) => void;
  readonly printError: (text: string) => void;
}

/** Opens the output in a format. */
export function openDifferenceOutput(
  format: DifferenceFormat,
  writers: Writers = { print, printCsv, printError },
): DifferenceOutput {
  switch (format) {
    case 'text':
      return {
        write: (differences) =>
          writers.print(differences.map((one) => `${formatDifference(one)}\n`).join('')),
        finish: writers.print,
      };
    case 'csv':
      writers.printCsv(differenceCsvHeader);
      return {
        write: (differences) => writers.printCsv(differences.map(formatDifferenceCsv).join('')),
        finish: writers.printError,
      };
    case 'json':
      return openJsonOutput(writers);
  }
}

/** One JSON array, with one element a line. */
function openJsonOutput({ print: write, printError: writeError }: Writers): DifferenceOutput {
  let before = '[\n';
  return {
    write: (differences) => {
      for (const one of differences) {
        write(`${before}${JSON.stringify(differenceObject(one))}`);
        before = ',\n';
      }
    },
    finish: (summary) => {
      write(before === '[\n' ? '[]\n' : '\n]\n');
      writeError(summary);
    },
  };
}
