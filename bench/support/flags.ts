import { parseArgs } from 'node:util';

import { helpIfRequested } from '../../test/support/program/help-if-requested.ts';

/**
 * The numbers that the command line gives as flags (`--rounds 3`), or their defaults. A name of several words
 * has hyphens on the command line. See also {@link helpIfRequested}.
 *
 * @throws when a flag is unknown, or its value is not a number.
 */
export function readFlags<Name extends string>(
  program: string,
  defaults: Readonly<Record<Name, number>>,
  args: readonly string[] = process.argv.slice(2),
): Readonly<Record<Name, number>> {
  helpIfRequested(program);
  const names = Object.keys(defaults) as Name[];
  const options = Object.fromEntries(names.map((name) => [flagOf(name), { type: 'string' }]));
  const { values } = parseArgs({
    args: [...args],
    options: options as Record<string, { type: 'string' }>,
  });
  const numbers: Record<Name, number> = { ...defaults };
  for (const name of names) {
    const text = values[flagOf(name)];
    if (text === undefined) continue;
    const value = Number(text);
    if (!Number.isFinite(value) || value < 0) {
      throw new Error(`--${flagOf(name)} must be a number, not ${text}`);
    }
    numbers[name] = value;
  }
  return numbers;
}

function flagOf(name: string): string {
  return name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}
