import type { Parsed } from '../domain/problem.ts';

/**
 * Parses the values of a parameter that selects one of a few choices. The result is undefined when the
 * parameter was not sent. Names are case-sensitive.
 *
 * @param values in the order they were sent
 * @param choices by the name that selects each
 */
export function parseChoice<T>(
  parameter: string,
  values: readonly string[],
  choices: ReadonlyMap<string, T>,
): Parsed<T | undefined> {
  const [name] = values;
  if (name === undefined) return { ok: true, value: undefined };
  if (values.length > 1) return { ok: false, problem: { type: 'parameter-repeated', parameter } };
  const value = choices.get(name);
  return value === undefined ? unknown(parameter, name, choices) : { ok: true, value };
}

/**
 * Parses the values of a parameter that selects several of a few choices with a comma-separated list.
 * The result has each selected choice once, in the order of `choices`. It is empty when the parameter
 * was not sent. An empty entry is not a name.
 */
export function parseChoices<T>(
  parameter: string,
  values: readonly string[],
  choices: ReadonlyMap<string, T>,
): Parsed<readonly T[]> {
  const [list] = values;
  if (list === undefined) return { ok: true, value: [] };
  if (values.length > 1) return { ok: false, problem: { type: 'parameter-repeated', parameter } };
  const names = new Set(list.split(','));
  for (const name of names) {
    if (!choices.has(name)) return unknown(parameter, name, choices);
  }
  const selected = [...choices].filter(([name]) => names.has(name)).map(([, choice]) => choice);
  return { ok: true, value: selected };
}

function unknown(
  parameter: string,
  value: string,
  choices: ReadonlyMap<string, unknown>,
): Parsed<never> {
  const valid = [...choices.keys()];
  return { ok: false, problem: { type: 'value-unknown', parameter, value, valid } };
}
