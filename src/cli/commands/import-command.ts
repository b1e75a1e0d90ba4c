import { Command, InvalidArgumentError, Option } from 'commander';
import { importDateFormats, runImport } from '../../app/commands/import-history.ts';
import type { ImportRequest } from '../../app/commands/import-history.ts';
import { formatFile, formatProgress, formatSummary } from './import-report.ts';
import { addSettingOptions, settingsOf } from '../flags/setting-options.ts';
import { print, printError } from '../terminal/print.ts';
import { ProgressLine } from '../terminal/progress-line.ts';

interface ImportFlags {
  readonly ticker?: string;
  readonly suffix?: string;
  readonly column?: string;
  readonly dateFormat?: NonNullable<ImportRequest['dateFormat']>;
  readonly decimal?: NonNullable<ImportRequest['decimal']>;
  readonly rejects?: string;
  readonly dryRun?: boolean;
  readonly verbose?: boolean;
}

/** `pizarra import`: the exit code is 1 if a file was refused, otherwise 0. */
export function importCommand(): Command {
  const command = new Command('import')
    .description('import daily closes from files, directories, archives or standard input (-)')
    .argument('<SOURCE...>', 'files, directories, .zip and .gz, or - for standard input')
    .option('--ticker <TICKER>', 'the instrument, if the file does not name it')
    .option('--suffix <TEXT>', 'suffix that turns names into tickers (_US); "" for none')
    .option('--column <NAME>', 'the column with the close')
    .addOption(
      new Option('--date-format <FORMAT>', 'format of the dates').choices(importDateFormats),
    )
    .option('--decimal <SIGN>', 'the decimal sign: . or ,', parseDecimal)
    .option('--rejects <FILE>', 'file for rejected rows (default: <data>/rejects/<time>.csv)')
    .option('--dry-run', 'show the result without storing anything')
    .option('--verbose', 'show the counts of every instrument, and all suspicious closes');
  return addSettingOptions(command, ['store', 'universe']).action(runImportCommand);
}

async function runImportCommand(sources: readonly string[], flags: ImportFlags): Promise<void> {
  const { ticker, suffix, column, dateFormat, decimal, rejects, dryRun, verbose = false } = flags;
  const { settings } = await settingsOf({ ...flags });
  const progress = ProgressLine.on(process.stderr);
  const { summary, rejectsFile, isStoreMissing, storeName } = await runImport({
    sources,
    storeAt: settings.store,
    universeDirectory: settings.universe,
    stdin: process.stdin,
    ...(ticker !== undefined && { ticker }),
    ...(suffix !== undefined && { suffix }),
    ...(column !== undefined && { column }),
    ...(dateFormat !== undefined && { dateFormat }),
    ...(decimal !== undefined && { decimal }),
    ...(rejects !== undefined && { rejectsFile: rejects }),
    ...(dryRun !== undefined && { dryRun }),
    onProgress: (one) => progress?.show(() => formatProgress(one)),
    onFile: (result) => {
      progress?.clear();
      const write = result.outcome === 'imported' ? print : printError;
      write(`${formatFile(result)}\n`);
    },
  });
  print(formatSummary(summary, { rejectsFile, verbose }));
  if (isStoreMissing) {
    printError(`There is no store in ${storeName}, so every close counts as new.
`);
  }
  if (summary.files.some(({ outcome }) => outcome === 'refused')) process.exitCode = 1;
}

function parseDecimal(text: string): '.' | ',' {
  if (text === '.' || text === ',') return text;
  throw new InvalidArgumentError('Valid: . or ,');
}
