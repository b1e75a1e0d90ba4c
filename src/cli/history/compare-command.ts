import { Command, Option } from 'commander';
import { runHistoryCompare } from '../../operator/history/compare-history.ts';
import type { PlainDate } from '../../domain/calendar/plain-date.ts';
import { parseDay } from '../flags/parse-day.ts';
import { addSettingOptions, settingsOf } from '../flags/setting-options.ts';
import { exitInterrupted, interruptSignal } from '../terminal/interrupt.ts';
import { readerGone } from '../terminal/print.ts';
import { ProgressLine } from '../terminal/progress-line.ts';
import { terminalLog } from '../terminal/terminal-log.ts';
import { formatCompareProgress, formatComparison } from './compare-report.ts';
import { openDifferenceOutput } from './difference-output.ts';
import { isComplete } from './source-report.ts';

interface CompareFlags {
  readonly source?: string;
  readonly from?: PlainDate;
  readonly to?: PlainDate;
  readonly json?: boolean;
  readonly csv?: boolean;
}

/** `pizarra history compare`: the exit code is 1 if a source or an instrument failed, otherwise 0. */
export function compareCommand(): Command {
  const command = new Command('compare')
    .description(
      'list the stored closes from which the configured sources differ; nothing is changed',
    )
    .argument('[TICKER...]', 'the instruments; if absent, all that the sources have')
    .option('--source <NAME>', 'only this feed')
    .option('--from <DATE>', 'first day (YYYY-MM-DD)', parseDay)
    .option('--to <DATE>', 'last day (YYYY-MM-DD)', parseDay)
    .addOption(new Option('--json', 'print one JSON array').conflicts('csv'))
    .option('--csv', 'print CSV');
  return addSettingOptions(command, ['store', 'universe', 'market']).action(runCompareCommand);
}

async function runCompareCommand(tickers: readonly string[], flags: CompareFlags): Promise<void> {
  const { source, from, to, json = false, csv = false } = flags;
  const { settings, file } = await settingsOf({ ...flags });
  const progress = ProgressLine.on(process.stderr);
  const format = json ? 'json' : csv ? 'csv' : 'text';
  let output: ReturnType<typeof openDifferenceOutput> | undefined;
  using interrupt = interruptSignal();
  const summary = await runHistoryCompare({
    settings,
    file,
    tickers,
    log: terminalLog(),
    signal: AbortSignal.any([interrupt.signal, readerGone]),
    onProgress: (one) => progress?.show(() => formatCompareProgress(one)),
    onDifferences: (differences) => {
      progress?.clear();
      output ??= openDifferenceOutput(format);
      output.write(differences);
    },
    ...(source !== undefined && { source }),
    ...(from !== undefined && { from }),
    ...(to !== undefined && { to }),
  });
  progress?.clear();
  output ??= openDifferenceOutput(format);
  output.finish(formatComparison(summary));
  if (readerGone.aborted) return;
  if (summary.wasAborted) process.exitCode = exitInterrupted;
  else if (!isComplete(summary.sources)) process.exitCode = 1;
}
