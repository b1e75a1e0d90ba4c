import { helpIfRequested } from '../../test/support/program/help-if-requested.ts';

/**
 * The numbers of the command line, in the order of their defaults, or their defaults. See also
 * {@link helpIfRequested}.
 *
 * @throws when an argument is not a number, or is one too many.
 */
export function readNumbers<Name extends string>(
  program: string,
  defaults: Readonly<Record<Name, number>>,
): Readonly<Record<Name, number>> {
  helpIfRequested(program);
  const given = process.argv.slice(2);
  const names = Object.keys(defaults) as Name[];
  const extra = given[names.length];
  if (extra !== undefined) throw new Error(`unexpected argument ${extra}; see --help`);
  const numbers: Record<Name, number> = { ...defaults };
  for (const [at, text] of given.entries()) {
    const name = names[at];
    const value = Number(text);
    if (!Number.isFinite(value) || value < 0) throw new Error(`${name} is not a number: ${text}`);
    if (name !== undefined) numbers[name] = value;
  }
  return numbers;
}
