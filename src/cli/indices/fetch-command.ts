import { Command } from 'commander';
import type { PlainDate } from '../../domain/calendar/plain-date.ts';
import { runIndexFetch } from '../../operator/indices/fetch-indices.ts';
import { requireIndex } from '../../operator/indices/stored-indices.ts';
import { parseDay } from '../flags/parse-day.ts';
import { addSettingOptions, settingsOf } from '../flags/setting-options.ts';
import { exitInterrupted, interruptSignal } from '../terminal/interrupt.ts';
import { print } from '../terminal/print.ts';
import { ProgressLine } from '../terminal/progress-line.ts';
import { terminalLog } from '../terminal/terminal-log.ts';
import { fetchLines, fetchProgress } from './fetch-report.ts';

interface FetchFlags {
  readonly desde?: PlainDate;
  readonly hasta?: PlainDate;
  readonly acceptDoubtful?: boolean;
}

/** `pizarra indices fetch`: the exit code is 1 if an index was not served or a value is doubtful, otherwise 0. */
export function fetchCommand(): Command {
  const command = new Command('fetch')
    .description('fetch values from the central bank (BCRA), days to come included')
    .argument('[INDEX...]', 'the indices; if absent, all')
    .option(
      '--desde <DATE>',
      'first day (YYYY-MM-DD); by default, since each index begins',
      parseDay,
    )
    .option(
      '--hasta <DATE>',
      'last day (YYYY-MM-DD); by default, the last that is published',
      parseDay,
    )
    .option('--accept-doubtful', 'store also values that contradict the stored ones');
  return addSettingOptions(command, ['store', 'universe', 'market']).action(runFetchCommand);
}

async function runFetchCommand(names: readonly string[], flags: FetchFlags): Promise<void> {
  const { desde: from, hasta: to, acceptDoubtful = false } = flags;
  const indices = new Set(names.map(requireIndex));
  const { settings, file } = await settingsOf({ ...flags });
  const progress = ProgressLine.on(process.stderr);
  using interrupt = interruptSignal();
  const summary = await runIndexFetch({
    settings,
    file,
    indices,
    from,
    to,
    acceptsDoubtful: acceptDoubtful,
    log: terminalLog(),
    signal: interrupt.signal,
    onProgress: (one) => progress?.show(() => fetchProgress(one)),
  });
  progress?.clear();
  const lines = summary.indices.flatMap((one) => fetchLines(one, { acceptDoubtful }));
  print(`${[...lines, ...(summary.wasAborted ? ['Interrupted.'] : [])].join('\n')}\n`);
  const isSound = summary.indices.every(
    ({ failed, doubtful }) => failed === undefined && (acceptDoubtful || doubtful.length === 0),
  );
  if (summary.wasAborted) process.exitCode = exitInterrupted;
  else if (!isSound) process.exitCode = 1;
}
