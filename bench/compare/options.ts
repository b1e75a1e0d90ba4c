import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { cases, shortCases } from './cases.ts';
import type { Case } from './cases.ts';

/** What a run is to do. */
export interface Options {
  readonly cases: readonly Case[];
  /** Names of the rivals to be there; undefined for all. */
  readonly rivals: readonly string[] | undefined;
  readonly rounds: number;
  readonly seconds: number;
  readonly scale: number;
  readonly startUp: boolean;
  readonly cache: string;
  readonly json: string | undefined;
  readonly plot: string | undefined;
  /** Write the result into docs/performance.md. */
  readonly docs: boolean;
}

/** The help text. */
export const usage = `Usage: npm run bench -- [options]

  --cases NAMES     these cases alone, apart by commas: ${cases
    .filter(({ withUpdates }) => !withUpdates)
    .map(({ name }) => name)
    .join(', ')};
                    each also with +updates after it
  --rivals NAMES    these rivals alone: nginx, node, sqlite, postgres, influxdb; or none
  --rounds N        how often each side takes its turn (5)
  --seconds S       how long each turn lasts (2)
  --short           the small cases of each carrier, beside nginx, in turns of a second
  --scale N         N times the history, 10 being 33 million closes; beside our own
                    program without them, and no other (1)
  --no-start-up     do not measure starting and memory
  --cache DIR       where generated data are kept (bench/data)
  --json FILE       write all figures for programs
  --plot FILE       write a plot (SVG)
  --docs            write the result, and its plot, into docs/performance.md
`;

/** Reads the command line; undefined when help is asked for. */
export function readOptions(args: readonly string[]): Options | undefined {
  const { values } = parseArgs({
    args: [...args],
    options: {
      help: { type: 'boolean', default: false },
      cases: { type: 'string' },
      rivals: { type: 'string' },
      rounds: { type: 'string' },
      seconds: { type: 'string' },
      short: { type: 'boolean', default: false },
      scale: { type: 'string', default: '1' },
      'no-start-up': { type: 'boolean', default: false },
      cache: { type: 'string', default: resolve(import.meta.dirname, '../data') },
      json: { type: 'string' },
      plot: { type: 'string' },
      docs: { type: 'boolean', default: false },
    },
  });
  if (values.help) return undefined;
  const scale = count(values.scale, 'scale');
  return {
    cases: values.cases?.split(',').map(caseNamed) ?? (values.short ? shortCases : cases),
    rivals: values.rivals?.split(',') ?? (values.short ? ['nginx'] : undefined),
    rounds: count(values.rounds ?? (values.short ? '3' : '5'), 'rounds'),
    seconds: count(values.seconds ?? (values.short ? '1' : '2'), 'seconds'),
    scale,
    startUp: !values['no-start-up'],
    cache: resolve(values.cache),
    json: values.json,
    plot: values.plot,
    docs: values.docs,
  };
}

function caseNamed(name: string): Case {
  const found = cases.find((one) => one.name === name);
  if (found === undefined) {
    throw new Error(
      `There is no case ${name}; there are ${cases.map((one) => one.name).join(', ')}`,
    );
  }
  return found;
}

function count(text: string, name: string): number {
  const value = Number(text);
  if (Number.isInteger(value) && value > 0) return value;
  throw new Error(`--${name} takes a whole number above zero, not ${text}`);
}
