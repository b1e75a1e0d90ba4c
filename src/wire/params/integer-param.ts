import type { Parsed } from '../../domain/values/problem.ts';
import { parseOptional } from './query-text.ts';

const integer = /^-?\d{1,15}$/;

/** Parses the values of a parameter that is a whole number within bounds. Undefined when it was not sent. */
export function parseInteger(
  parameter: string,
  values: readonly string[],
  { min, max }: { readonly min: number; readonly max: number },
): Parsed<number | undefined> {
  return parseOptional(parameter, values, (text): Parsed<number> => {
    const value = integer.test(text) ? Number(text) : Number.NaN;
    if (value >= min && value <= max) return { ok: true, value };
    const problem = { type: 'integer-malformed', parameter, value: text, min, max } as const;
    return { ok: false, problem };
  });
}
