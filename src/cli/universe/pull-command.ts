import { resolve } from 'node:path';
import { Command } from 'commander';
import { flagName, settingOf } from '../../config/settings/settings.ts';
import { UsageFault } from '../../lib/reports/operator-fault.ts';
import { systemClock } from '../../lib/time/clock.ts';
import { pauseInRealTime } from '../../lib/time/pause.ts';
import { openOrigin, pullUniverse } from '../../operator/universe/pull-universe.ts';
import { addSettingOptions, agentKeyVariable, settingsOf } from '../flags/setting-options.ts';
import { askSecret } from '../terminal/ask-secret.ts';
import { exitInterrupted, interruptSignal } from '../terminal/interrupt.ts';
import { print, printError } from '../terminal/print.ts';
import { pullReport } from './pull-report.ts';

interface PullFlags {
  readonly keyFile?: string;
  readonly ca?: string;
  readonly dryRun?: boolean;
}

/**
 * `pizarra universe pull`: adds what another Pizarra has and the universe lacks. The key is never an
 * argument, because all users of a machine see the arguments of a program.
 */
export function pullCommand(): Command {
  const command = new Command('pull')
    .description('add the instruments, markets and terms of bonds that another Pizarra has')
    .argument('<URL>', 'the public listener of the other Pizarra, base path included')
    .argument('[DIR]', 'directory of the files; by default, that of the settings')
    .option(
      '--key-file <FILE>',
      `a file with a key of the other one (default: the key in ${agentKeyVariable}, or a question)`,
    )
    .option('--ca <FILE>', 'a PEM file with the authority of its certificate')
    .option('--dry-run', 'show what would be written without writing anything');
  return addSettingOptions(command, ['universe']).action(runPull);
}

async function runPull(
  url: string,
  directory: string | undefined,
  flags: PullFlags,
): Promise<void> {
  const { keyFile, ca, dryRun: isDryRun = false } = flags;
  const { settings } = await settingsOf({ ...flags });
  const path = directory ?? settings.universe;
  if (!isDryRun && resolve(path) === settingOf('universe').fallback) {
    throw new UsageFault(
      `${path} is the universe of the program, which an upgrade replaces. Name another directory, which need not exist, and set ${flagName('universe')} to it.`,
    );
  }
  using interrupt = interruptSignal();
  try {
    const client = await openOrigin({
      url,
      keyFile,
      ca,
      key: process.env[agentKeyVariable],
      ask: process.stdin.isTTY ? () => askSecret(`Key of ${url}: `, interrupt.signal) : undefined,
      pause: pauseInRealTime,
      signal: interrupt.signal,
      onWait: (seconds) => printError(`${url} limits requests; waiting ${seconds} s.\n`),
    });
    const year = new Date(systemClock.now()).getUTCFullYear();
    const summary = await pullUniverse({ client, directory: path, isDryRun, year });
    const { output, warnings } = pullReport(summary, { directory: path, url, isDryRun });
    printError(warnings);
    print(output);
  } catch (fault) {
    if (!interrupt.signal.aborted) throw fault;
    printError('Interrupted. Nothing was written.\n');
    process.exitCode = exitInterrupted;
  }
}
