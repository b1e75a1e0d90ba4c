import { Command } from 'commander';
import { runHistoryFetch } from '../../operator/history/fetch-history.ts';
import type { PlainDate } from '../../domain/calendar/plain-date.ts';
import { parseDay } from '../flags/parse-day.ts';
import { addSettingOptions, settingsOf } from '../flags/setting-options.ts';
import { exitInterrupted, interruptSignal } from '../terminal/interrupt.ts';
import { print } from '../terminal/print.ts';
import { ProgressLine } from '../terminal/progress-line.ts';
import { terminalLog } from '../terminal/terminal-log.ts';
import { formatFetch, formatFetchProgress } from './fetch-report.ts';
import { isComplete } from './source-report.ts';

interface FetchFlags {
  readonly source?: string;
  readonly from?: PlainDate;
  readonly verbose?: boolean;
}

/** `pizarra history fetch`: the exit code is 1 if a source or an instrument failed, otherwise 0. */
export function fetchCommand(): Command {
  const command = new Command('fetch')
    .description(
      'fill the history from the configured sources; a stored close is replaced only by its own source or by one that the configuration prefers',
    )
    .argument('[TICKER...]', 'the instruments; if absent, all that the sources have')
    .option('--source <NAME>', 'only this feed')
    .option(
      '--from <DATE>',
      'first day (YYYY-MM-DD); by default, as far back as a source goes',
      parseDay,
    )
    .option('--verbose', 'list every difference, every rejected row, every failure and every gap');
  return addSettingOptions(command, ['store', 'universe', 'market']).action(runFetchCommand);
}

async function runFetchCommand(tickers: readonly string[], flags: FetchFlags): Promise<void> {
  const { source, from, verbose = false } = flags;
  const { settings, file } = await settingsOf({ ...flags });
  const progress = ProgressLine.on(process.stderr);
  using interrupt = interruptSignal();
  const summary = await runHistoryFetch({
    settings,
    file,
    tickers,
    log: terminalLog(),
    signal: interrupt.signal,
    onProgress: (one) => progress?.show(() => formatFetchProgress(one)),
    ...(source !== undefined && { source }),
    ...(from !== undefined && { from }),
  });
  progress?.clear();
  print(formatFetch(summary, { verbose }));
  if (summary.wasAborted) process.exitCode = exitInterrupted;
  else if (!isComplete(summary.sources)) process.exitCode = 1;
}
