import { Command, Option } from 'commander';
import {
  importIndices,
  indexDateFormats,
  type IndexImportRequest,
} from '../../operator/indices/import-indices.ts';
import { addSettingOptions, settingsOf } from '../flags/setting-options.ts';
import { print } from '../terminal/print.ts';
import { importObject, importText } from './index-view.ts';

interface ImportFlags {
  readonly decimal?: IndexImportRequest['decimal'];
  readonly dateFormat?: IndexImportRequest['dateFormat'];
  readonly dryRun?: boolean;
  readonly json?: boolean;
}

/** `pizarra indices import`: stores all values of all files, or none. */
export function importCommand(): Command {
  const command = new Command('import')
    .description('import values from CSV with the columns indice, fecha and valor')
    .argument('<SOURCE...>', 'files, directories, .zip and .gz, or - for standard input')
    .addOption(new Option('--decimal <SIGN>', 'the decimal sign').choices(['.', ',']))
    .addOption(
      new Option('--date-format <FORMAT>', 'format of the dates').choices(indexDateFormats),
    )
    .option('--dry-run', 'show the result without storing anything')
    .option('--json', 'print the counts as one JSON object');
  return addSettingOptions(command, ['store']).action(runImportCommand);
}

async function runImportCommand(sources: readonly string[], flags: ImportFlags): Promise<void> {
  const { decimal, dateFormat, dryRun = false, json = false } = flags;
  const { settings } = await settingsOf({ ...flags });
  const summary = await importIndices({
    sources,
    storeAt: settings.store,
    stdin: process.stdin,
    dryRun,
    decimal,
    dateFormat,
  });
  print(`${json ? JSON.stringify(importObject(summary)) : importText(summary)}\n`);
}
