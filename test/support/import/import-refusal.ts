import assert from 'node:assert/strict';
import { ImportRefusal } from '../../../src/import/refusals/import-refusal.ts';

/** Runs a call that must be refused, and returns the refusal as `code: message`. */
export function refusalOf(run: () => unknown): string {
  try {
    run();
  } catch (error) {
    if (error instanceof ImportRefusal) return `${error.code}: ${error.message}`;
    throw error;
  }
  return assert.fail('it was not refused');
}
