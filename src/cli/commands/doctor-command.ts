import { Command } from 'commander';
import { examine, unreadableConfiguration, type Finding } from '../../operator/doctor/examine.ts';
import { OperatorFault } from '../../lib/reports/operator-fault.ts';
import { settingNames } from '../../config/settings/settings.ts';
import { systemClock } from '../../lib/time/clock.ts';
import { addSettingOptions, settingsOf } from '../flags/setting-options.ts';
import { formatFindings } from '../terminal/format-findings.ts';
import { print } from '../terminal/print.ts';

/** `pizarra doctor`: the exit code is 1 if a check is wrong, and otherwise 0, also with warnings. */
export function doctorCommand(): Command {
  const command = new Command('doctor')
    .summary('check the whole installation, and say what to do; a service may be running')
    .description(
      'check the whole installation, and say what to do; a service may be running. Give the settings of the service: the same configuration file and variables, or the same flags as "pizarra serve", which are all accepted',
    )
    .option('--json', 'print one JSON array, with all cases');
  return addSettingOptions(command, settingNames, ['store']).action(runDoctor);
}

async function runDoctor(flags: Record<string, unknown>): Promise<void> {
  const findings = await findingsOf(flags);
  const text = flags['json'] === true ? JSON.stringify(findings) : formatFindings(findings);
  print(`${text}\n`);
  if (findings.some(({ state }) => state === 'wrong')) process.exitCode = 1;
}

async function findingsOf(flags: Record<string, unknown>): Promise<readonly Finding[]> {
  try {
    return await examine({ ...(await settingsOf(flags)), now: systemClock.now() });
  } catch (fault) {
    if (!(fault instanceof OperatorFault)) throw fault;
    return [unreadableConfiguration(fault.message)];
  }
}
