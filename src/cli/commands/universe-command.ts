import { Command } from 'commander';
import { requireUniverse } from '../../app/site/require-universe.ts';
import { addSettingOptions, settingsOf } from '../flags/setting-options.ts';
import { print } from '../terminal/print.ts';

/** `pizarra universe check`: tells every fault of the universe files, or what they hold. */
export function universeCommand(): Command {
  const check = new Command('check')
    .description('check the universe files, and list every fault with its place')
    .argument('[DIR]', 'directory of the files; by default the one that serve would use');
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
  return new Command('universe').description('work on the universe files').addCommand(check);
}
