import { flagName } from '../../config/settings/settings.ts';
import { dateFormats } from '../../import/cells/date-format.ts';
import { SharedAdvice, hasFailed, isAccepted } from '../../import/reports/import-summary.ts';
import { runImport } from '../../operator/history/import-history.ts';
import { command } from '../form/command.ts';
import { given } from '../form/flags.ts';
import { formatFile, formatProgress, summaryLines } from './import-report.ts';

/** The exit code is 1 if a file was refused, or if nothing was accepted or already known. */
export const importCommand = command({
  name: 'import',
  summary: 'import daily closes from files, directories, archives or standard input (-)',
  args: { sources: ['<SOURCE...>', 'files, directories, .zip and .gz, or - for standard input'] },
  flags: {
    ticker: { value: '<TICKER>', text: 'the instrument, if the file does not name it' },
    suffix: {
      value: '<TEXT>',
      text: 'suffix that turns names into tickers (_US); "" for none',
    },
    column: { value: '<NAME>', text: 'the column with the close' },
    tickerColumn: { value: '<NAME>', text: 'the column with the instrument of each row' },
    dates: { value: '<NAME>', text: 'the column with the dates' },
    dateFormat: { value: '<FORMAT>', text: 'format of the dates', choices: dateFormats },
    sheet: { value: '<NAME>', text: 'the sheet of a workbook, if several have values' },
    zone: {
      value: '<ZONE>',
      text: 'time zone whose days the dates are of, if they are instants',
    },
    decimal: { value: '<SIGN>', text: 'the decimal sign', choices: ['.', ','] },
    actions: { text: 'record columns of dividends and splits as corporate actions' },
    replace: { text: 'replace stored closes also where most of them are on another level' },
    rejects: {
      value: '<FILE>',
      text: 'file for rejected rows (default: <data>/rejects/<time>.csv)',
    },
    dryRun: { text: 'show the result without storing anything' },
    verbose: { text: 'show the counts of every instrument, and all suspicious closes' },
  },
  settings: ['store', 'universe'],
  examples: [
    'pizarra import closes.csv               # columns such as ticker, date, close',
    'pizarra import --ticker GGAL --dry-run ggal.csv',
    'pizarra import --date-format DD/MM/YYYY --decimal , archive.zip',
    'zcat closes.csv.gz | pizarra import -',
  ],
  async run({ args, flags, print, printError, progress, stdin, configuration, onInterrupt }) {
    const { settings } = await configuration();
    const { rejects: rejectsFile, verbose = false, ...options } = given(flags);
    let imported = 0;
    const shared = new SharedAdvice();
    onInterrupt(() => interruptedText(flags.dryRun ? 0 : imported));
    const outcome = await runImport({
      ...options,
      sources: args.sources,
      storeAt: settings.store,
      universeDirectory: settings.universe,
      stdin,
      rejectsFile,
      onProgress: (one) => progress(() => formatProgress(one)),
      onFile: (result) => {
        const isStored = isAccepted(result);
        if (isStored) imported += 1;
        const write = isStored ? print : printError;
        write(`${formatFile(result, shared)}\n`);
      },
    });
    const { summary, isStoreMissing, storeName, endsDemonstration } = outcome;
    return {
      sections: [
        ...summaryLines(summary, { rejectsFile: outcome.rejectsFile, verbose }),
        ...(endsDemonstration ? demonstrationEnds : []),
      ],
      notes: isStoreMissing
        ? [`There is no store in ${storeName}, so every close counts as new.`]
        : [],
      outcome: hasFailed(summary) ? 'failed' : undefined,
    };
  },
});

const demonstrationEnds = [
  'The demonstration has ended: from now on the service shows only real prices, and no simulated ones.',
  `To see the demonstration again, start a service on another directory: pizarra serve ${flagName('store')} DIR ${flagName('port')} PORT ${flagName('privatePort')} PORT`,
];

/** Each file is stored as a whole, after its last row. */
function interruptedText(imported: number): string {
  if (imported === 0) return 'Interrupted. Nothing was stored.';
  const before = imported === 1 ? '1 file before it is' : `${imported} files before it are`;
  return `Interrupted. Nothing of the file under way was stored; the ${before} stored. To continue, run the same command again.`;
}
