import { Command } from 'commander';
import { listChanges } from '../../operator/history/change-log.ts';
import { addSettingOptions, settingsOf } from '../flags/setting-options.ts';
import { print } from '../terminal/print.ts';
import { formatTable } from '../terminal/table.ts';
import { subjectIn } from './change-subject.ts';
import { changeCells, changeColumns, changeObject } from './change-view.ts';

interface LogFlags {
  readonly index?: string;
  readonly json?: boolean;
}

/** `pizarra history log`: what has changed, when, and by what. */
export function logCommand(): Command {
  const command = new Command('log')
    .description(
      'list the changes of the closes, corporate actions and bond terms of an instrument, the latest first',
    )
    .argument('[TICKER]', 'the instrument; absent with --index')
    .argument('[DATE]', 'a day (YYYY-MM-DD), whose first value is listed too')
    .option('--index <INDEX>', 'list the changes of the values of an index instead')
    .option('--json', 'print one JSON array');
  return addSettingOptions(command, ['store']).action(runLogCommand);
}

async function runLogCommand(
  first: string | undefined,
  second: string | undefined,
  flags: LogFlags,
): Promise<void> {
  const { subject, day } = subjectIn([first, second], flags.index);
  const { settings } = await settingsOf({ ...flags });
  const changes = await listChanges({ storeAt: settings.store, subject, day });
  if (flags.json) return print(`${JSON.stringify(changes.map(changeObject))}\n`);
  if (changes.length === 0) return print('Nothing was replaced.\n');
  print(`${formatTable(changeColumns, changes.map(changeCells))}\n`);
}
