import { Command } from 'commander';
import { backUp, restore } from '../../app/commands/back-up.ts';
import type { CopySummary } from '../../app/commands/back-up.ts';
import { addSettingOptions, settingsOf } from '../flags/setting-options.ts';
import { print } from '../terminal/print.ts';

/** `pizarra backup`: one file that holds everything, while the service goes on. */
export function backupCommand(): Command {
  const command = new Command('backup')
    .description('copy the database into a new file, as of one instant; a service may be running')
    .argument('<FILE>', 'the file to make; nothing is ever overwritten');
  return addSettingOptions(command, ['data']).action(async (file: string, flags: object) => {
    const { settings } = await settingsOf({ ...flags });
    const summary = await backUp(settings.data, file);
    print(`${file}: ${described(summary)}; read back and found whole.\n`);
  });
}

/** `pizarra restore`: an installation out of a backup. */
export function restoreCommand(): Command {
  const command = new Command('restore')
    .description('make the database of a data directory that has none out of a backup')
    .argument('<FILE>', 'what "pizarra backup" made');
  return addSettingOptions(command, ['data']).action(async (file: string, flags: object) => {
    const { settings } = await settingsOf({ ...flags });
    const summary = await restore(settings.data, file);
    print(`${summary.path}: ${described(summary)}.\n${keysNote}\n`);
  });
}

const keysNote =
  'Keys are as they were when the backup was made: one that was revoked later opens again.\n' +
  '"pizarra keys list" shows them.';

function described({ bytes, rows }: CopySummary): string {
  const { instruments = 0, closes = 0, quotes = 0, api_keys: keys = 0 } = rows;
  const mebibytes = (bytes / 1024 / 1024).toFixed(1);
  return `${mebibytes} MiB, ${closes} closes of ${instruments} instruments, ${quotes} quotes, ${keys} keys`;
}
