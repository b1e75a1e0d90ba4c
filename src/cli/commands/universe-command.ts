import { Command } from 'commander';
import { requireUniverse } from '../../app/site/require-universe.ts';
import { addSettingOptions, settingsOf } from '../flags/setting-options.ts';
import { print } from '../terminal/print.ts';

/** `pizarra universe check`: lists every fault of the universe files, or summarises their content. */
export function universeCommand(): Command {
  const check = new Command('check')
    .description('check the universe files, and list every fault with file and line')
    .argument('[DIR]', 'directory of the files; by default, that of the settings');
  addSettingOptions(check, ['universe']).action(
    async (directory: string | undefined, flags: object) => {
      const { settings } = await settingsOf({ ...flags });
      const path = directory ?? settings.universe;
      const { instruments, markets, derived } = await requireUniverse(path);
      print(
        `${path}: ${instruments.length} instruments, ${markets.size} markets, ${derived.length} derived; no faults.\n`,
      );
    },
  );
  return new Command('universe').description('commands for the universe files').addCommand(check);
}
