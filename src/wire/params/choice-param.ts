import type { Parsed } from '../../domain/values/problem.ts';
import { parseOptional } from './query-text.ts';

/**
 * Parses the values of a parameter with a closed list of valid values, which are case-sensitive. The
 * result is undefined when the parameter was not sent. An empty value is not in the list.
 */
export function parseChoice<Choice extends string>(
  parameter: string,
  values: readonly string[],
  valid: readonly Choice[],
): Parsed<Choice | undefined> {
  return parseOptional(parameter, values, (value): Parsed<Choice> => {
    const choice = valid.find((one) => one === value);
    if (choice !== undefined) return { ok: true, value: choice };
    return { ok: false, problem: { type: 'value-unknown', parameter, value, valid } };
  });
}
