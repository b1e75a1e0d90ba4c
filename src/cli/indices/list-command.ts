import { Command, Option } from 'commander';
import type { PlainDate } from '../../domain/calendar/plain-date.ts';
import { indexCsv } from '../../operator/indices/index-csv.ts';
import {
  listAllValues,
  listReplaced,
  listValues,
  requireIndex,
  summariseIndices,
  type DaysWanted,
  type IndexName,
} from '../../operator/indices/stored-indices.ts';
import { parseDay } from '../flags/parse-day.ts';
import { addSettingOptions, settingsOf } from '../flags/setting-options.ts';
import { print, printCsv } from '../terminal/print.ts';
import { formatTable } from '../terminal/table.ts';
import {
  replacedCells,
  replacedColumns,
  replacedObject,
  summaryCells,
  summaryColumns,
  summaryObject,
  valueCells,
  valueColumns,
  valueObject,
} from './index-view.ts';

interface ListFlags {
  readonly desde?: PlainDate;
  readonly hasta?: PlainDate;
  readonly changes?: boolean;
  readonly csv?: boolean;
  readonly json?: boolean;
}

/** `pizarra indices list`: what is stored of each index, the values of one, or what was replaced. */
export function listCommand(): Command {
  const command = new Command('list')
    .description('list what is stored of each index, or the values of one')
    .argument('[INDEX]', 'the index; if absent, a line for each')
    .option('--desde <DATE>', 'first day (YYYY-MM-DD)', parseDay)
    .option('--hasta <DATE>', 'last day (YYYY-MM-DD)', parseDay)
    .option('--changes', 'list the values that others have replaced')
    .addOption(
      new Option('--csv', 'print the values as CSV, which "indices import" reads').conflicts([
        'json',
        'changes',
      ]),
    )
    .option('--json', 'print one JSON array');
  return addSettingOptions(command, ['store', 'universe']).action(runListCommand);
}

async function runListCommand(name: string | undefined, flags: ListFlags): Promise<void> {
  const { desde: from, hasta: to, changes = false, csv = false, json = false } = flags;
  const index = name === undefined ? undefined : requireIndex(name);
  const { settings } = await settingsOf({ ...flags });
  const days = { from, to };
  const { store: storeAt } = settings;
  if (changes) {
    const replaced = await listReplaced(storeAt, index, days);
    const rows = replaced.map(replacedCells);
    return show(json ? replaced.map(replacedObject) : formatTable(replacedColumns, rows));
  }
  if (csv) return printCsv(indexCsv(await valuesOf(storeAt, index, days)));
  if (index !== undefined || from !== undefined || to !== undefined) {
    const values = await valuesOf(storeAt, index, days);
    if (json) return show(values.map(valueObject));
    const cells = values.map((one) => [one.index, ...valueCells(one)]);
    return show(formatTable(['INDEX', ...valueColumns], cells));
  }
  const all = await summariseIndices({ storeAt, universeDirectory: settings.universe });
  show(json ? all.map(summaryObject) : formatTable(summaryColumns, all.map(summaryCells)));
}

function valuesOf(storeAt: string, index: IndexName | undefined, days: DaysWanted) {
  return index === undefined ? listAllValues(storeAt, days) : listValues(storeAt, index, days);
}

function show(output: string | readonly object[]): void {
  print(`${typeof output === 'string' ? output : JSON.stringify(output)}\n`);
}
