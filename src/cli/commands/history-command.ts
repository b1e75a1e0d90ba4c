import { once } from 'node:events';
import { Command } from 'commander';
import { runHistoryFetch } from '../../app/commands/fetch-history.ts';
import type { PlainDate } from '../../domain/plain-date.ts';
import type { Log } from '../../lib/log.ts';
import { parseDay } from '../flags/parse-day.ts';
import { addSettingOptions, settingsOf } from '../flags/setting-options.ts';
import { print, printError } from '../terminal/print.ts';
import { ProgressLine } from '../terminal/progress-line.ts';
import { formatFetch, formatFetchProgress, isComplete } from './history-report.ts';

/** The exit code after SIGINT: 128 and the number of the signal, as in a shell. */
const exitInterrupted = 130;

interface FetchFlags {
  readonly source?: string;
  readonly from?: PlainDate;
  readonly verbose?: boolean;
}

/** `pizarra history`: commands for the daily closes of sources. */
export function historyCommand(): Command {
  return new Command('history')
    .description('fetch daily closes from the configured sources')
    .addCommand(fetchCommand());
}

/** `pizarra history fetch`: the exit code is 1 if a source or an instrument failed, otherwise 0. */
function fetchCommand(): Command {
  const command = new Command('fetch')
    .description('fill the history from the configured sources; a stored close is never changed')
    .argument('[TICKER...]', 'the instruments; if absent, all that the sources have')
    .option('--source <NAME>', 'only this feed')
    .option(
      '--from <DATE>',
      'first day (YYYY-MM-DD); by default, as far back as a source goes',
      parseDay,
    )
    .option('--verbose', 'list every difference, every failure and every gap');
  return addSettingOptions(command, ['data', 'universe', 'market']).action(runFetchCommand);
}

async function runFetchCommand(tickers: readonly string[], flags: FetchFlags): Promise<void> {
  const { source, from, verbose = false } = flags;
  const { settings, file } = await settingsOf({ ...flags });
  const progress = ProgressLine.on(process.stderr);
  const interrupt = new AbortController();
  const listening = new AbortController();
  void once(process, 'SIGINT', { signal: listening.signal }).then(
    () => interrupt.abort(),
    () => undefined,
  );
  try {
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
    else if (!isComplete(summary)) process.exitCode = 1;
  } finally {
    listening.abort();
  }
}

/** A log that shows warnings and errors as lines on standard error. */
function terminalLog(): Log {
  return { debug: () => undefined, info: () => undefined, warn: showLine, error: showLine };
}

function showLine(_details: object, message: string): void {
  printError(`${message}\n`);
}
