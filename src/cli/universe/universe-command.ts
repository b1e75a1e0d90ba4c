import { Command } from 'commander';
import { checkMaturities } from '../../operator/doctor/check-maturities.ts';
import { requireUniverse } from '../../node/site/require-universe.ts';
import { systemClock } from '../../lib/time/clock.ts';
import { addSettingOptions, settingsOf } from '../flags/setting-options.ts';
import { formatFindings } from '../terminal/format-findings.ts';
import { print } from '../terminal/print.ts';
import { pullCommand } from './pull-command.ts';

/**
 * `pizarra universe check`: lists every fault of the universe files, or summarises their content and
 * names the instruments that have matured.
 */
export function universeCommand(): Command {
  const check = new Command('check')
    .description('check the universe files, and list every fault with file and line')
    .argument('[DIR]', 'directory of the files; by default, that of the settings');
  addSettingOptions(check, ['universe']).action(
    async (directory: string | undefined, flags: object) => {
      const { settings } = await settingsOf({ ...flags });
      const path = directory ?? settings.universe;
      const universe = await requireUniverse(path);
      const { instruments, markets, derived, bondTerms } = universe;
      print(
        `${path}: ${instruments.length} instruments, ${markets.size} markets, ${derived.length} derived, terms of ${bondTerms.length} issues; no faults.\n`,
      );
      print(`${formatFindings([checkMaturities(universe, systemClock.now())])}\n`);
    },
  );
  return new Command('universe')
    .description('commands for the universe files')
    .addCommand(check)
    .addCommand(pullCommand());
}
