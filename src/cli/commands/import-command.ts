import { flagName } from '../../config/settings/settings.ts';
import { Command, Option } from 'commander';
import {
  acceptedIn,
  hasFailed,
  importDateFormats,
  runImport,
  SharedAdvice,
  type ImportRequest,
} from '../../operator/history/import-history.ts';
import { formatFile, formatProgress, formatSummary } from './import-report.ts';
import { addSettingOptions, settingsOf } from '../flags/setting-options.ts';
import { sayOnInterrupt } from '../terminal/interrupt.ts';
import { print, printError } from '../terminal/print.ts';
import { ProgressLine } from '../terminal/progress-line.ts';

interface ImportFlags {
  readonly ticker?: string;
  readonly suffix?: string;
  readonly column?: string;
  readonly tickerColumn?: string;
  readonly dates?: string;
  readonly zone?: string;
  readonly sheet?: string;
  readonly dateFormat?: NonNullable<ImportRequest['dateFormat']>;
  readonly decimal?: NonNullable<ImportRequest['decimal']>;
  readonly actions?: boolean;
  readonly replace?: boolean;
  readonly rejects?: string;
  readonly dryRun?: boolean;
  readonly verbose?: boolean;
}

/**
 * `pizarra import`: the exit code is 1 if a file was refused, or if nothing was accepted or already known,
 * otherwise 0.
 */
export function importCommand(): Command {
  const command = new Command('import')
    .description('import daily closes from files, directories, archives or standard input (-)')
    .argument('<SOURCE...>', 'files, directories, .zip and .gz, or - for standard input')
    .option('--ticker <TICKER>', 'the instrument, if the file does not name it')
    .option('--suffix <TEXT>', 'suffix that turns names into tickers (_US); "" for none')
    .option('--column <NAME>', 'the column with the close')
    .option('--ticker-column <NAME>', 'the column with the instrument of each row')
    .option('--dates <NAME>', 'the column with the dates')
    .addOption(
      new Option('--date-format <FORMAT>', 'format of the dates').choices(importDateFormats),
    )
    .option('--sheet <NAME>', 'the sheet of a workbook, if several have values')
    .option('--zone <ZONE>', 'time zone whose days the dates are of, if they are instants')
    .addOption(new Option('--decimal <SIGN>', 'the decimal sign').choices(['.', ',']))
    .option('--actions', 'record columns of dividends and splits as corporate actions')
    .option('--replace', 'replace stored closes also where most of them are on another level')
    .option('--rejects <FILE>', 'file for rejected rows (default: <data>/rejects/<time>.csv)')
    .option('--dry-run', 'show the result without storing anything')
    .option('--verbose', 'show the counts of every instrument, and all suspicious closes');
  return addSettingOptions(command, ['store', 'universe']).action(runImportCommand);
}

async function runImportCommand(sources: readonly string[], flags: ImportFlags): Promise<void> {
  const { ticker, suffix, column, tickerColumn, dates, zone, sheet, dateFormat, decimal } = flags;
  const { actions, replace, rejects, dryRun, verbose = false } = flags;
  const { settings } = await settingsOf({ ...flags });
  const progress = ProgressLine.on(process.stderr);
  let imported = 0;
  const shared = new SharedAdvice();
  using _ = sayOnInterrupt(() => {
    progress?.clear();
    return dryRun === true ? 'Interrupted. Nothing was stored.' : interruptedText(imported);
  });
  const { summary, rejectsFile, isStoreMissing, endsDemonstration, storeName } = await runImport({
    sources,
    storeAt: settings.store,
    universeDirectory: settings.universe,
    stdin: process.stdin,
    ...(ticker !== undefined && { ticker }),
    ...(suffix !== undefined && { suffix }),
    ...(column !== undefined && { column }),
    ...(tickerColumn !== undefined && { tickerColumn }),
    ...(dates !== undefined && { dates }),
    ...(zone !== undefined && { zone }),
    ...(sheet !== undefined && { sheet }),
    ...(dateFormat !== undefined && { dateFormat }),
    ...(decimal !== undefined && { decimal }),
    ...(actions !== undefined && { actions }),
    ...(replace !== undefined && { replace }),
    ...(rejects !== undefined && { rejectsFile: rejects }),
    ...(dryRun !== undefined && { dryRun }),
    onProgress: (one) => progress?.show(() => formatProgress(one)),
    onFile: (result) => {
      progress?.clear();
      const isAccepted = result.outcome === 'imported' && acceptedIn(result.counts) > 0;
      if (isAccepted) imported += 1;
      const write = isAccepted ? print : printError;
      write(`${formatFile(result, shared)}\n`);
    },
  });
  print(formatSummary(summary, { rejectsFile, verbose }));
  if (isStoreMissing) {
    printError(`There is no store in ${storeName}, so every close counts as new.
`);
  }
  if (endsDemonstration) print(demonstrationEnds);
  if (hasFailed(summary)) process.exitCode = 1;
}

const demonstrationEnds = `The demonstration has ended: from now on the service shows only real prices, and no simulated ones.
To see the demonstration again, start a service on another directory: pizarra serve ${flagName('store')} DIR ${flagName('port')} PORT ${flagName('privatePort')} PORT
`;

/** Each file is stored as a whole, after its last row. */
function interruptedText(imported: number): string {
  if (imported === 0) return 'Interrupted. Nothing was stored.';
  const before = imported === 1 ? '1 file before it is' : `${imported} files before it are`;
  return `Interrupted. Nothing of the file under way was stored; the ${before} stored. To continue, run the same command again.`;
}
