import { Command, InvalidArgumentError } from 'commander';
import { checkSources } from '../../operator/sources/check-sources.ts';
import { systemClock } from '../../lib/time/clock.ts';
import { addSettingOptions, settingsOf } from '../flags/setting-options.ts';
import { exitInterrupted, interruptSignal } from '../terminal/interrupt.ts';
import { print } from '../terminal/print.ts';
import { ProgressLine } from '../terminal/progress-line.ts';
import { formatCheck, formatWaiting } from './check-report.ts';

interface CheckFlags {
  readonly json?: boolean;
  readonly save?: string;
  readonly wait: number;
  readonly timeout: number;
}

/** The defaults of the limits, in seconds. A poll of every instrument of `yahoo` takes about nine minutes. */
const [waitSeconds, timeoutSeconds] = [30, 900];

/** The longest limit, in seconds. */
const secondsMax = 86_400;

/** `pizarra sources check`: the exit code is 1 if a source is wrong, otherwise 0; 130 after Ctrl-C. */
export function checkCommand(): Command {
  const command = new Command('check')
    .description(
      'connect once to each configured source, and say what came and what to do; stores nothing, and a service may be running',
    )
    .argument('[NAME...]', 'the names of feeds; if absent, all that are configured')
    .option('--save <DIR>', 'save what came in a new directory, without keys and tokens')
    .option('--json', 'print one JSON array, with every path and every missing instrument')
    .option(
      '--wait <SECONDS>',
      'time for a WebSocket to send a price of each instrument',
      parseSeconds,
      waitSeconds,
    )
    .option(
      '--timeout <SECONDS>',
      'time for the check of one source',
      parseSeconds,
      timeoutSeconds,
    );
  return addSettingOptions(command, ['universe', 'market']).action(runCheck);
}

async function runCheck(names: readonly string[], flags: CheckFlags): Promise<void> {
  const { json = false, save, wait, timeout } = flags;
  const { settings, file } = await settingsOf({ ...flags });
  const progress = ProgressLine.on(process.stderr);
  using interrupt = interruptSignal();
  const startedAt = systemClock.monotonic();
  const checks = await checkSources({
    settings,
    file,
    names,
    save,
    waitMs: wait * 1_000,
    timeoutMs: timeout * 1_000,
    signal: interrupt.signal,
    onProgress: (waitingFor) =>
      progress?.show(() => formatWaiting(waitingFor, systemClock.monotonic() - startedAt)),
  });
  progress?.clear();
  print(json ? `${JSON.stringify(checks)}\n` : formatCheck(checks, { save }));
  if (interrupt.signal.aborted) process.exitCode = exitInterrupted;
  else if (checks.some(({ state }) => state === 'wrong')) process.exitCode = 1;
}

function parseSeconds(text: string): number {
  const seconds = Number(text);
  if (!/^\d+(?:\.\d+)?$/.test(text) || seconds <= 0 || seconds > secondsMax) {
    throw new InvalidArgumentError(`It must be a number of seconds up to ${secondsMax}.`);
  }
  return seconds;
}
