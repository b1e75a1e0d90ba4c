import { Command, InvalidArgumentError } from 'commander';
import { checkStoredActions } from '../../operator/actions/check-actions.ts';
import { importActions, type ActionImportSummary } from '../../operator/actions/import-actions.ts';
import {
  actionTypeNames,
  listActions,
  parseActionType,
  removeAction,
  type ActionType,
} from '../../operator/actions/stored-actions.ts';
import type { PlainDate } from '../../domain/calendar/plain-date.ts';
import { parseDay } from '../flags/parse-day.ts';
import { addSettingOptions, settingsOf } from '../flags/setting-options.ts';
import { print } from '../terminal/print.ts';
import { formatTable } from '../terminal/table.ts';
import { actionCells, actionColumns, actionObject, doubtObject, doubtText } from './action-view.ts';

interface JsonFlag {
  readonly json?: boolean;
}

/** Maximum number of names that are shown. */
const namesShownMax = 10;

/** `pizarra actions`: the commands for corporate actions. */
export function actionsCommand(): Command {
  return new Command('actions')
    .description('import, list, check and remove corporate actions: splits, dividends, renames')
    .addCommand(importCommand())
    .addCommand(listCommand())
    .addCommand(checkCommand())
    .addCommand(removeCommand());
}

function importCommand(): Command {
  const command = new Command('import')
    .description('import actions from CSV, YAML, charts of Yahoo Finance or lists of Alpaca')
    .argument('<SOURCE...>', 'files, directories, .zip and .gz, or - for standard input')
    .option('--dry-run', 'show the result without storing anything')
    .option('--json', 'print the counts as one JSON object');
  return addSettingOptions(command, ['store', 'universe']).action(
    async (sources: readonly string[], flags: JsonFlag & { readonly dryRun?: boolean }) => {
      const { settings } = await settingsOf({ ...flags });
      const summary = await importActions({
        sources,
        storeAt: settings.store,
        universeDirectory: settings.universe,
        stdin: process.stdin,
        dryRun: flags.dryRun ?? false,
      });
      print(`${flags.json ? JSON.stringify(summary) : importText(summary)}\n`);
    },
  );
}

function importText({ files, added, changed, same, unknown, dryRun }: ActionImportSummary): string {
  const counts = `added ${added}, changed ${changed}, same ${same}`;
  const result = `${dryRun ? 'Dry run, nothing stored. ' : ''}Files: ${files}. Actions: ${counts}.`;
  if (unknown.length === 0) return result;
  const more = unknown.length > namesShownMax ? ` and ${unknown.length - namesShownMax} more` : '';
  const names = unknown.slice(0, namesShownMax).join(', ');
  return `${result}\nLeft out, not in the universe: ${names}${more}.`;
}

function listCommand(): Command {
  const command = new Command('list')
    .description('list the recorded actions by ticker and ex date')
    .argument('[TICKER]', 'the instrument; if absent, all')
    .option('--json', 'print one JSON array, which "actions import" reads');
  return addSettingOptions(command, ['store']).action(
    async (ticker: string | undefined, flags: JsonFlag) => {
      const { settings } = await settingsOf({ ...flags });
      const actions = await listActions(settings.store, ticker);
      const text = flags.json
        ? JSON.stringify(actions.map(actionObject))
        : formatTable(actionColumns, actions.map(actionCells));
      print(`${text}\n`);
    },
  );
}

/** The exit code is 1 if there are doubts. */
function checkCommand(): Command {
  const command = new Command('check')
    .description('compare the stored closes with the recorded actions')
    .argument('[TICKER]', 'the instrument; if absent, all')
    .option('--json', 'print one JSON array');
  return addSettingOptions(command, ['store', 'universe']).action(
    async (ticker: string | undefined, flags: JsonFlag) => {
      const { settings } = await settingsOf({ ...flags });
      const doubts = await checkStoredActions({
        storeAt: settings.store,
        universeDirectory: settings.universe,
        ticker,
      });
      const lines =
        doubts.length === 0
          ? [
              'The recorded actions agree with the stored closes, and no action seems to be missing.',
            ]
          : doubts.map(doubtText);
      print(`${flags.json ? JSON.stringify(doubts.map(doubtObject)) : lines.join('\n')}\n`);
      if (doubts.length > 0) process.exitCode = 1;
    },
  );
}

function removeCommand(): Command {
  const command = new Command('remove')
    .description('remove a recorded action')
    .argument('<TICKER>', 'the instrument')
    .argument('<DATE>', 'the ex date (YYYY-MM-DD)', parseDay)
    .argument('<TYPE>', actionTypeNames, parseType)
    .option('--json', 'print the removed action as one JSON object');
  return addSettingOptions(command, ['store']).action(
    async (ticker: string, date: PlainDate, type: ActionType, flags: JsonFlag) => {
      const { settings } = await settingsOf({ ...flags });
      const removed = await removeAction(settings.store, { ticker, date, type });
      const text = flags.json
        ? JSON.stringify(actionObject(removed))
        : `Removed the ${removed.type} of ${removed.ticker} on ${date}.`;
      print(`${text}\n`);
    },
  );
}

function parseType(text: string): ActionType {
  const type = parseActionType(text);
  if (type === undefined) throw new InvalidArgumentError(`Valid: ${actionTypeNames}.`);
  return type;
}
