import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { cases, shortCases, type Case } from './cases.ts';

/** The options of a run. */
export interface Options {
  readonly cases: readonly Case[];
  /** Names of the selected rivals; undefined for all. */
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

  --cases NAMES     only these cases, comma-separated: ${cases
    .filter(({ withUpdates }) => !withUpdates)
    .map(({ name }) => name)
    .join(', ')};
                    each also with the suffix +updates
  --rivals NAMES    only these rivals: nginx, node, sqlite, postgres, influxdb; or none
  --rounds N        number of turns of each side (5)
  --seconds S       duration of each turn, in seconds (2)
  --short           only a few cases of each carrier, compared with nginx, in turns of 1 s
  --scale N         N times the history (10 is 33 million closes), compared only with
                    Pizarra with the default history (1)
  --no-start-up     do not measure starting and memory
  --cache DIR       directory for generated data (bench/data)
  --json FILE       write all figures as JSON
  --plot FILE       write a plot (SVG)
  --docs            write the result, and its plot, into docs/performance.md
`;

/** Parses the command line; undefined for --help. */
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
      cache: { type: 'string', default: resolve(import.meta.dirname, '../../data') },
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
      `The case ${name} does not exist. The cases are ${cases.map((one) => one.name).join(', ')}`,
    );
  }
  return found;
}

function count(text: string, name: string): number {
  const value = Number(text);
  if (Number.isInteger(value) && value > 0) return value;
  throw new Error(`--${name} must be a positive integer, not ${text}`);
}
