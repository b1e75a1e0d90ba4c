import type { ChangedFile, PullSummary } from '../../operator/universe/pull-universe.ts';

/** What a pull has done, for a terminal. A dry run shows the lines that it would write. */
export function pullReport(
  { instruments, markets, terms, files, leftAlone, notes }: PullSummary,
  { directory, url, isDryRun }: PullContext,
): { readonly output: string; readonly warnings: string } {
  const warnings = [
    ...notes.map((note) => `${url}: ${note}.\n`),
    ...(leftAlone.length === 0
      ? []
      : ['Left alone, because it differs:\n', ...leftAlone.map((one) => `  ${one}\n`)]),
  ].join('');
  if (files.length === 0) {
    return { output: `${directory} has all that ${url} has. Nothing was written.\n`, warnings };
  }
  const counts = `${instruments.length} instruments, ${markets.length} markets, terms of ${terms.length} issues`;
  const names = files.map(({ name }) => name).join(', ');
  if (isDryRun) {
    const shown = files.map(addedLines).join('');
    const end = `Would add ${counts} to ${directory}: ${names}. Nothing was written.\n`;
    return { output: `${shown}${end}`, warnings };
  }
  const next = 'Then reload the service (SIGHUP), if it uses this directory.';
  return { output: `${directory}: added ${counts}.\nWritten: ${names}. ${next}\n`, warnings };
}

/** Where a pull reads and writes. */
interface PullContext {
  readonly directory: string;
  readonly url: string;
  readonly isDryRun: boolean;
}

/** The lines that a file gets, each after a `+`. Lines are only added, apart from a longer first line of a CSV. */
function addedLines({ name, before, after }: ChangedFile): string {
  const left = new Map<string, number>();
  for (const line of before.split(/\r?\n/)) left.set(line, (left.get(line) ?? 0) + 1);
  const added = after
    .split(/\r?\n/)
    .slice(0, -1)
    .filter((line) => {
      const count = left.get(line) ?? 0;
      left.set(line, count - 1);
      return count <= 0;
    });
  return `${name}:\n${added.map((line) => `+ ${line}\n`).join('')}`;
}
