import { Command } from 'commander';
import { backUp, restore, type CopySummary } from '../../operator/store/back-up.ts';
import { addSettingOptions, settingsOf } from '../flags/setting-options.ts';
import { print } from '../terminal/print.ts';

/** `pizarra backup`: copies the database into one file, while the service runs. */
export function backupCommand(): Command {
  const command = new Command('backup')
    .description('copy the database, as of one instant, into a new file; a service may be running')
    .argument('<FILE>', 'the file to create; an existing file is not overwritten');
  return addSettingOptions(command, ['store']).action(async (file: string, flags: object) => {
    const { settings } = await settingsOf({ ...flags });
    const summary = await backUp(settings.store, file);
    print(`${file}: ${described(summary)}; verified by reading it back.\n`);
  });
}

/** `pizarra restore`: creates the database of an installation from a backup. */
export function restoreCommand(): Command {
  const command = new Command('restore')
    .description('restore a backup into a data directory that has no database')
    .argument('<FILE>', 'a file of "pizarra backup"');
  return addSettingOptions(command, ['store']).action(async (file: string, flags: object) => {
    const { settings } = await settingsOf({ ...flags });
    const summary = await restore(settings.store, file);
    print(`${summary.path}: ${described(summary)}.\n${keysNote}\n`);
  });
}

const keysNote =
  'Keys are as they were when the backup was made. A key that was revoked later is valid again.\n' +
  'Check them with "pizarra keys list".';

function described({ bytes, rows }: CopySummary): string {
  const { instruments = 0, closes = 0, quotes = 0, api_keys: keys = 0 } = rows;
  const mebibytes = (bytes / 1024 / 1024).toFixed(1);
  return `${mebibytes} MiB, ${closes} closes of ${instruments} instruments, ${quotes} quotes, ${keys} keys`;
}
