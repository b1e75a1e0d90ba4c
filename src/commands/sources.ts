import { systemClock } from '../lib/time/clock.ts';
import { checkSources } from '../operator/sources/check-sources.ts';
import { command, type Group } from './form/command.ts';
import { valid } from './form/flags.ts';
import type { PathCheck, SourceCheck } from '../operator/sources/judge-source.ts';
import { firstOf } from '../lib/text/first-of.ts';
import { printable } from '../lib/text/printable.ts';
import { findingMarks, formatTable } from './form/report.ts';

/** The longest limit, in seconds. */
const secondsMax = 86_400;

const parseSeconds = valid((text) => {
  const seconds = Number(text);
  if (!/^\d+(?:\.\d+)?$/.test(text) || seconds <= 0 || seconds > secondsMax) return undefined;
  return seconds;
}, `It must be a number of seconds up to ${secondsMax}.`);

/** The exit code is 1 if a source is wrong. */
const checkCommand = command({
  name: 'check',
  summary:
    'connect once to each configured source, and say what came and what to do; stores nothing, and a service may be running',
  args: { names: ['[NAME...]', 'the names of feeds; if absent, all that are configured'] },
  flags: {
    save: { value: '<DIR>', text: 'save what came in a new directory, without keys and tokens' },
    json: { text: 'print one JSON array, with every path and every missing instrument' },
    wait: {
      value: '<SECONDS>',
      text: 'time for a WebSocket to send a price of each instrument',
      parse: parseSeconds,
      fallback: 30,
    },
    // A poll of every instrument of `yahoo` takes about nine minutes.
    timeout: {
      value: '<SECONDS>',
      text: 'time for the check of one source',
      parse: parseSeconds,
      fallback: 900,
    },
  },
  settings: ['universe', 'market'],
  examples: [
    'pizarra sources check --market argentina',
    'pizarra sources check --save bodies --timeout 60 bcra',
  ],
  async run(context) {
    const { save, wait, timeout } = context.flags;
    const { settings, file } = await context.configuration();
    const { signal } = context;
    const startedAt = systemClock.monotonic();
    const secondsSince = () => Math.round((systemClock.monotonic() - startedAt) / 1_000);
    const json = await checkSources({
      settings,
      file,
      names: context.args.names,
      save,
      waitMs: wait * 1_000,
      timeoutMs: timeout * 1_000,
      signal,
      onProgress: (waitingFor) =>
        context.progress(() => `${secondsSince()} s, waiting for ${waitingFor.join(', ')}`),
    });
    const isWrong = json.some(({ state }) => state === 'wrong');
    return {
      sections: [formatCheck(json, { save })],
      json,
      outcome: signal.aborted ? 'interrupted' : isWrong ? 'failed' : undefined,
    };
  },
});

export const sources: Group = {
  name: 'sources',
  summary: 'commands for the configured sources of live prices',
  commands: [checkCommand],
};

/** Maximum number of paths of a source that are shown. The JSON output has all. */
const pathsShownMax = 12;

/** Maximum number of missing instruments that are named. The JSON output has all. */
const missingShownMax = 10;

/** Maximum length of an address. The JSON output has all of it. */
const urlCharsMax = 120;

const marks: Readonly<Record<SourceCheck['state'], string>> = {
  ...findingMarks,
  closed: 'closed',
  skipped: '–',
};

/** The result of a check: a table of the sources, then for each its paths and what to do. */
export function formatCheck(
  checks: readonly SourceCheck[],
  { save }: { readonly save: string | undefined },
): string {
  const table = formatTable(
    ['SOURCE', 'STATE', 'INSTRUMENTS', 'ROWS', 'UNDERSTOOD', 'NEWEST ROW', 'DELAY'],
    checks.map(summaryRow),
  );
  const details = checks.filter(({ state }) => state !== 'skipped').map(formatSource);
  const saved =
    save === undefined
      ? []
      : [
          `What came is in ${printable(save)}, without keys and tokens. Look through it before you share it.`,
        ];
  return [table, ...details, ...saved].join('\n\n');
}

function summaryRow(check: SourceCheck): readonly string[] {
  const { name, state, instruments, rows, understood, delayMinutes } = check;
  if (state === 'skipped') return [name, marks[state], '–', '–', '–', '–', '–'];
  return [
    name,
    marks[state],
    `${instruments.served} of ${instruments.expected}`,
    String(rows),
    String(understood),
    ageText(check),
    delayMinutes === undefined ? '–' : `${delayMinutes} min`,
  ];
}

function ageText({ newestRowSeconds, medianRowSeconds, rows }: SourceCheck): string {
  if (newestRowSeconds === undefined) return rows === 0 ? '–' : 'not dated';
  const median =
    medianRowSeconds === newestRowSeconds ? '' : `, median ${duration(medianRowSeconds)}`;
  return `${duration(newestRowSeconds)} old${median}`;
}

/** A number of seconds in the unit that suits it. */
function duration(seconds = 0): string {
  if (seconds < 0) return `-${duration(-seconds)}`;
  if (seconds < 120) return `${seconds} s`;
  if (seconds < 7_200) return `${Math.round(seconds / 60)} min`;
  return seconds < 172_800
    ? `${Math.round(seconds / 3_600)} h`
    : `${Math.round(seconds / 86_400)} d`;
}

function formatSource(check: SourceCheck): string {
  const { name, state, says, todo, instruments, paths } = check;
  const shown = paths.toSorted((a, b) => rank(a) - rank(b)).slice(0, pathsShownMax);
  const hidden = paths.length - shown.length;
  const { missing } = instruments;
  const more = missing.length > missingShownMax ? ' (--json lists all)' : '';
  const isListed = missing.length > 0 && (state === 'fine' || state === 'warning');
  return [
    `${name}: ${marks[state]}. ${printable(says)}`,
    ...(todo === undefined ? [] : [`  → ${printable(todo)}`]),
    ...shown.flatMap((path) => pathLines(path, check)),
    ...(hidden > 0 ? [`  and ${hidden} more paths (--json lists all)`] : []),
    ...(isListed ? [`  without a price: ${firstOf(missing, missingShownMax)}${more}`] : []),
  ].join('\n');
}

/** Paths with a fault come first. */
function rank({ state }: PathCheck): number {
  if (state === 'wrong') return 0;
  return state === 'warning' ? 1 : 2;
}

/** The lines of a path, without what the lines of the source say already. */
function pathLines(path: PathCheck, source: SourceCheck): readonly string[] {
  const { kind, method, url, state, says, todo, rejected } = path;
  const address = url.length > urlCharsMax ? `${url.slice(0, urlCharsMax)}…` : url;
  const target = `${kind === 'socket' ? 'WebSocket' : method} ${address}`;
  return [
    `  ${marks[state]}  ${printable(target)}`,
    `    ${reachText(path)}`,
    ...(says === undefined || says === source.says ? [] : [`    ${printable(says)}`]),
    ...rejected.map(
      ({ reason, count, samples: [sample = ''] }) =>
        `    rejected ${count} ${reason}, such as ${printable(sample)}`,
    ),
    ...(todo === undefined || todo === source.todo ? [] : [`    → ${printable(todo)}`]),
  ];
}

const places: Readonly<Record<NonNullable<PathCheck['failedAt']>, string>> = {
  name: 'not reached: the name cannot be resolved',
  connection: 'not reached: no connection can be opened',
  tls: 'not reached: the certificate or TLS failed',
  response: 'no response',
  status: 'refused',
  body: 'cut off',
  content: 'not the data',
  program: 'not read',
};

function reachText(path: PathCheck): string {
  const { failedAt, status, responseMs, totalMs, rows, understood, messages } = path;
  const time = responseMs ?? totalMs;
  const parts = [
    ...(failedAt === undefined ? [] : [places[failedAt]]),
    ...(status === undefined ? [] : [`status ${status}`]),
    ...(time === undefined ? [] : [`${time} ms`]),
    ...(messages === undefined ? [] : [`${messages} messages`]),
    ...(failedAt === undefined ? [`${rows} rows`, `${understood} understood`] : []),
  ];
  return parts.join(', ');
}
