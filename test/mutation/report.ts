import type { Mutant } from './mutants.ts';
import type { Verdict } from './try-mutant.ts';

/** A mutant for the reader: its place, its change and its outcome. */
export function diffOf({ mutant, outcome }: Verdict): string {
  const { file, line, operator, before, after } = mutant;
  return `${outcome}: ${file}:${line} (${operator})\n  - ${before}\n  + ${after}`;
}

const diffPattern =
  /^(?:survived|not covered|out of time): (\S+):\d+ \([^)]+\)\n {2}- (.*)\n {2}\+ (.*)$/gm;

/** The mutants in the output of an earlier run, which has the format of {@link diffOf}. */
export function mutantsShownIn(
  output: string,
): readonly Pick<Mutant, 'file' | 'before' | 'after'>[] {
  return [...output.matchAll(diffPattern)].map(([, file = '', before = '', after = '']) => ({
    file,
    before,
    after,
  }));
}

/** A table of outcomes by folder, and the percentage of mutants killed. */
export function summarise(verdicts: readonly Verdict[]): {
  readonly text: string;
  readonly score: number;
} {
  const folders = new Map<string, Verdict[]>();
  for (const verdict of verdicts) {
    const folder = verdict.mutant.file.split('/').slice(0, 2).join('/');
    folders.set(folder, [...(folders.get(folder) ?? []), verdict]);
  }
  const rows = [...folders].toSorted(([a], [b]) => a.localeCompare(b));
  const lines = [...rows, ['all', verdicts] as const].map(([name, some]) => {
    const counts = outcomes.map((outcome) => String(countOf(some, outcome)).padStart(12)).join('');
    return `${name.padEnd(16)}${counts}${scoreOf(some).toFixed(1).padStart(10)} %`;
  });
  const head = `${''.padEnd(16)}${outcomes.map((outcome) => outcome.padStart(12)).join('')}${'killed'.padStart(12)}`;
  return { text: `${[head, ...lines].join('\n')}\n`, score: scoreOf(verdicts) };
}

const outcomes = ['killed', 'timeout', 'survived', 'not covered', 'out of time'] as const;

function countOf(verdicts: readonly Verdict[], outcome: Verdict['outcome']): number {
  return verdicts.filter((verdict) => verdict.outcome === outcome).length;
}

function scoreOf(verdicts: readonly Verdict[]): number {
  if (verdicts.length === 0) return 100;
  return (100 * (countOf(verdicts, 'killed') + countOf(verdicts, 'timeout'))) / verdicts.length;
}
