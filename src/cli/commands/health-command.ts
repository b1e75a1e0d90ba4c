import { Command } from 'commander';
import { checkHealth } from '../../operator/doctor/check-health.ts';
import { openPlace } from '../../node/place/open-place.ts';
import { settingNames } from '../../config/settings/settings.ts';
import { addSettingOptions, settingsOf } from '../flags/setting-options.ts';
import { print } from '../terminal/print.ts';

/** `pizarra health`: the exit code is 0 if the service on this machine responds, and otherwise 1. */
export function healthCommand(): Command {
  const command = new Command('health')
    .summary('check that the service on this machine responds, for containers and monitors')
    .description(
      'check that the service on this machine responds, for containers and monitors. It is found by its store, or by the addresses of the configuration file, of the variables or of the flags of "pizarra serve", which are all accepted',
    )
    .option('--ready', 'check that it is ready, with current data, and not only alive');
  return addSettingOptions(command, settingNames, ['store']).action(
    async (flags: Record<string, unknown>) => {
      const { settings } = await settingsOf(flags);
      const ready = flags['ready'] === true;
      print(`${await checkHealth(openPlace(settings.store), settings, { ready })} responds.\n`);
    },
  );
}
