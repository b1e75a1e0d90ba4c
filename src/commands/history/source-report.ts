import { printable } from '../../lib/text/printable.ts';

/** What the report of a run needs of each source. */
interface SourceResult {
  readonly source: string;
  readonly failed: readonly { readonly ticker: string; readonly message: string }[];
  readonly stopped?: string;
}

/** Whether every source served every instrument that it was asked for. */
export function isComplete(sources: readonly SourceResult[]): boolean {
  return sources.every(({ failed, stopped }) => failed.length === 0 && stopped === undefined);
}

/** The instruments that sources did not serve, one line each. */
export function failedLines(sources: readonly SourceResult[]): readonly string[] {
  return sources.flatMap((one) =>
    one.failed.map(({ ticker, message }) => `${ticker} of ${one.source}: ${message}`),
  );
}

/** The counts of a source, and why it was left early, with what to do. */
export function sourceLine(
  { source, stopped }: SourceResult,
  counts: string,
  remedy: string,
): string {
  const line = `${source}: ${counts}`;
  return stopped === undefined ? line : `${line}; stopped: ${stopped}. ${remedy}`;
}

/** The progress of a run as one line, without a line end. */
export function formatSourceProgress(
  {
    source,
    ticker,
    done,
    total,
    waiting,
  }: {
    readonly source: string;
    readonly ticker: string;
    readonly done: number;
    readonly total: number;
    readonly waiting?: { readonly ms: number; readonly cause: string };
  },
  detail: string,
): string {
  const line = `${source}  ${done + 1}/${total}  ${detail}  ${ticker}`;
  if (waiting === undefined) return printable(line);
  const seconds = Math.ceil(waiting.ms / 1_000);
  return printable(`${line}  waiting ${seconds} s: ${waiting.cause}`);
}
