import { Command } from 'commander';
import { listKeys } from '../../node/keys/keys.ts';
import { systemClock } from '../../lib/time/clock.ts';
import { addSettingOptions, settingsOf } from '../flags/setting-options.ts';
import { formatTable } from '../terminal/table.ts';
import { keyColumns, keyCells, keyObject } from './key-view.ts';
import { print } from '../terminal/print.ts';

/** `pizarra keys list` */
export function listCommand(): Command {
  const command = new Command('list')
    .description('list all keys ever created; the keys themselves are not stored')
    .option('--json', 'print one JSON array');
  return addSettingOptions(command, ['store']).action(
    async (flags: { readonly json?: boolean }) => {
      const { settings } = await settingsOf({ ...flags });
      const keys = await listKeys(settings.store);
      const now = systemClock.now();
      const text = flags.json
        ? JSON.stringify(keys.map((key) => keyObject(key, now)))
        : formatTable(
            keyColumns,
            keys.map((key) => keyCells(key, now)),
          );
      print(`${text}\n`);
    },
  );
}
