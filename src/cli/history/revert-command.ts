import { Command, InvalidArgumentError, Option } from 'commander';
import { parseRfc3339 } from '../../domain/calendar/rfc3339.ts';
import { UsageFault } from '../../lib/reports/operator-fault.ts';
import {
  actionTypeNames,
  parseActionType,
  type ActionType,
} from '../../operator/actions/stored-actions.ts';
import { revertChange } from '../../operator/history/revert-change.ts';
import { addSettingOptions, settingsOf } from '../flags/setting-options.ts';
import { print } from '../terminal/print.ts';
import { subjectIn } from './change-subject.ts';
import { revertedObject, revertedText } from './change-view.ts';

interface RevertFlags {
  readonly to?: number;
  readonly action?: ActionType;
  readonly index?: string;
  readonly json?: boolean;
}

/** `pizarra history revert`: an earlier value is right. */
export function revertCommand(): Command {
  const command = new Command('revert')
    .description(
      'put an earlier close of a day back, as a change of its own that no fetch replaces',
    )
    .argument('[TICKER]', 'the instrument; absent with --index')
    .argument('[DATE]', 'the day (YYYY-MM-DD)')
    .option(
      '--to <INSTANT>',
      'put back what was known at this instant, such as 2027-01-31T15:00:00Z; by default, what was replaced last',
      parseInstant,
    )
    .addOption(
      new Option(
        '--action <TYPE>',
        `put back the corporate action of that ex date: ${actionTypeNames}`,
      )
        .argParser(parseType)
        .conflicts('index'),
    )
    .option('--index <INDEX>', 'put back the value of an index')
    .option('--json', 'print one JSON object');
  return addSettingOptions(command, ['store']).action(runRevertCommand);
}

async function runRevertCommand(
  first: string | undefined,
  second: string | undefined,
  flags: RevertFlags,
): Promise<void> {
  const { subject: named, day } = subjectIn([first, second], flags.index);
  if (day === undefined) throw new UsageFault('Name the day, such as 2027-01-31.');
  const subject = 'index' in named ? named : { ...named, action: flags.action };
  const { settings } = await settingsOf({ ...flags });
  const reverted = await revertChange({ storeAt: settings.store, subject, day, to: flags.to });
  const text = flags.json
    ? JSON.stringify(revertedObject(reverted, day))
    : revertedText(reverted, day);
  print(`${text}\n`);
}

function parseInstant(text: string): number {
  const at = parseRfc3339(text);
  if (at !== undefined) return at;
  throw new InvalidArgumentError('Valid: an instant such as 2027-01-31T15:00:00Z.');
}

function parseType(text: string): ActionType {
  const type = parseActionType(text);
  if (type === undefined) throw new InvalidArgumentError(`Valid: ${actionTypeNames}.`);
  return type;
}
