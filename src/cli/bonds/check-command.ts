import { Command } from 'commander';
import { systemClock } from '../../lib/time/clock.ts';
import { checkBonds } from '../../operator/bonds/check-bonds.ts';
import { addSettingOptions, settingsOf } from '../flags/setting-options.ts';
import { formatFindings } from '../terminal/format-findings.ts';
import { print } from '../terminal/print.ts';

/** `pizarra bonos check`: lists every fault of the universe, or what of the terms needs attention. */
export function checkCommand(): Command {
  const check = new Command('check')
    .description('check the terms of bonds, and list every fault with file, line and column')
    .argument('[DIR]', 'directory of the universe; by default, that of the settings')
    .option('--json', 'print the findings as one JSON array');
  return addSettingOptions(check, ['universe']).action(
    async (directory: string | undefined, flags: { readonly json?: boolean }) => {
      const { settings } = await settingsOf({ ...flags });
      const path = directory ?? settings.universe;
      const { issues, findings } = await checkBonds(path, systemClock.now());
      if (flags.json) print(`${JSON.stringify(findings)}\n`);
      else print(`${path}: terms of ${issues} issues; no faults.\n${formatFindings(findings)}\n`);
    },
  );
}
