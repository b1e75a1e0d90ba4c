import { Command } from 'commander';
import { runExport } from '../../operator/history/export-history.ts';
import type { PlainDate } from '../../domain/calendar/plain-date.ts';
import { parseDay } from '../flags/parse-day.ts';
import { addSettingOptions, settingsOf } from '../flags/setting-options.ts';
import { printError } from '../terminal/print.ts';

interface ExportFlags {
  readonly panel?: string;
  readonly from?: PlainDate;
  readonly to?: PlainDate;
  readonly output?: string;
  readonly withChanges?: boolean;
}

/** `pizarra export`: writes daily closes as CSV, which `pizarra import` reads back unchanged. */
export function exportCommand(): Command {
  const command = new Command('export')
    .description('write daily closes as CSV, which "import" reads back unchanged')
    .argument('[TICKER...]', 'the instruments; if absent, the whole universe')
    .option('--panel <CODE>', 'export the instruments of a panel')
    .option('--from <DATE>', 'first day (YYYY-MM-DD)', parseDay)
    .option('--to <DATE>', 'last day (YYYY-MM-DD)', parseDay)
    .option(
      '--with-changes',
      'also the closes that others have replaced, with the instant and the origin of each change',
    )
    .option('-o, --output <FILE>', 'a new file; by default, standard output');
  return addSettingOptions(command, ['store', 'universe']).action(runExportCommand);
}

async function runExportCommand(tickers: readonly string[], flags: ExportFlags): Promise<void> {
  const { panel, from, to, output, withChanges = false } = flags;
  const { settings } = await settingsOf({ ...flags });
  try {
    const { instruments, closes, replaced, strangers } = await runExport({
      storeAt: settings.store,
      universeDirectory: settings.universe,
      tickers,
      output: output ?? process.stdout,
      withChanges,
      ...(panel !== undefined && { panel }),
      ...(from !== undefined && { from }),
      ...(to !== undefined && { to }),
    });
    printError(`${closes} closes of ${instruments} instruments.\n`);
    if (withChanges) printError(`${replaced} closes that others have replaced.\n`);
    if (strangers.length > 0) printError(`${strangersText(strangers)}\n`);
  } catch (fault) {
    // The reader of standard output may stop early (`| head`).
    if ((fault as NodeJS.ErrnoException).code !== 'EPIPE') throw fault;
  }
}

function strangersText(tickers: readonly string[]): string {
  const shown = tickers.slice(0, 5).join(', ');
  const more = tickers.length > 5 ? ' and others' : '';
  return `${tickers.length} instruments with a history are not in the universe, and were not exported: ${shown}${more}.`;
}
