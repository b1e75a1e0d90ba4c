import { Command } from 'commander';
import { findKey } from '../../node/keys/keys.ts';
import { systemClock } from '../../lib/time/clock.ts';
import { addSettingOptions, settingsOf } from '../flags/setting-options.ts';
import { keyLines, keyObject } from './key-view.ts';
import { print } from '../terminal/print.ts';

/** `pizarra keys show` */
export function showCommand(): Command {
  const command = new Command('show')
    .description('show the details of a key')
    .argument('<ID>', 'the id of the key, as in "keys list"')
    .option('--json', 'print one JSON object');
  return addSettingOptions(command, ['store']).action(
    async (id: string, flags: { readonly json?: boolean }) => {
      const { settings } = await settingsOf({ ...flags });
      const { key, replacedBy } = await findKey(settings.store, id);
      const now = systemClock.now();
      const text = flags.json
        ? JSON.stringify({ ...keyObject(key, now), replacedBy: replacedBy ?? null })
        : keyLines(key, { now, replacedBy });
      print(`${text}\n`);
    },
  );
}
