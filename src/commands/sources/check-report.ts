import type { PathCheck, SourceCheck } from '../../operator/sources/source-check.ts';
import { printable } from '../../lib/text/printable.ts';
import { formatTable } from '../form/report.ts';

/** Maximum number of paths of a source that are shown. The JSON output has all. */
const pathsShownMax = 12;

/** Maximum number of missing instruments that are named. The JSON output has all. */
const missingShownMax = 10;

/** Maximum length of an address. The JSON output has all of it. */
const urlCharsMax = 120;

const marks: Readonly<Record<SourceCheck['state'], string>> = {
  fine: 'fine',
  closed: 'closed',
  warning: 'WARN',
  wrong: 'WRONG',
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
  const more = missing.length - missingShownMax;
  const named = missing.slice(0, missingShownMax).join(', ');
  const isListed = missing.length > 0 && (state === 'fine' || state === 'warning');
  return [
    `${name}: ${marks[state]}. ${printable(says)}`,
    ...(todo === undefined ? [] : [`  → ${printable(todo)}`]),
    ...shown.flatMap((path) => pathLines(path, check)),
    ...(hidden > 0 ? [`  and ${hidden} more paths (--json lists all)`] : []),
    ...(isListed
      ? [`  without a price: ${named}${more > 0 ? ` and ${more} more (--json lists all)` : ''}`]
      : []),
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
