import { Argument, Command } from 'commander';
import { changeKey } from '../../app/keys/keys.ts';
import { requirePlan } from '../../app/settings/rate-plans.ts';
import type { KeyLabels } from '../../domain/api-key.ts';
import type { KeyChange } from '../../domain/key-change.ts';
import type { Allowance } from '../../domain/rate-limit.ts';
import { addSettingOptions, settingsOf } from '../flags/setting-options.ts';
import { parseExpiry, parseLabel, parseLimit } from './parse-key-flags.ts';
import { print } from '../terminal/print.ts';

/** The commands that each do one thing to one key. */
export function changeCommands(): readonly Command[] {
  return [
    changeCommand('revoke', 'end a key for good', () => ({ type: 'revoke' })),
    changeCommand('disable', 'end a key until it is enabled again', () => ({ type: 'disable' })),
    changeCommand('enable', 'let a disabled key work again', () => ({ type: 'enable' })),
    changeCommand(
      'set-plan',
      'hold a key to a plan of the configuration',
      (plan) => ({ type: 'set-plan', plan: plan as string | undefined }),
      new Argument('[PLAN]', 'the plan; without it, the default plan'),
    ),
    changeCommand(
      'set-limit',
      'give a key a limit of its own, whatever its plan says',
      (limit) => ({ type: 'set-limit', limit: limit as Allowance | undefined }),
      new Argument(
        '[LIMIT]',
        'such as "60/min burst 20"; without it, what its plan says',
      ).argParser(parseLimit),
    ),
    changeCommand(
      'set-labels',
      'replace all labels of a key',
      (labels = {}) => ({ type: 'set-labels', labels: labels as KeyLabels }),
      new Argument('[NAME=VALUE...]', 'the labels; without any, none').argParser(parseLabel),
    ),
    changeCommand(
      'set-expiry',
      'change when a key ends by itself',
      (expiresAt) => ({ type: 'set-end', expiresAt: expiresAt as number | undefined }),
      new Argument('[DATE]', 'its last day, or an instant; without it, never').argParser(
        parseExpiry,
      ),
    ),
  ];
}

/**
 * A command with the id of a key and at most one value, which says what the change is: what the
 * argument's parser gives, or undefined when it was not told.
 */
function changeCommand(
  name: string,
  description: string,
  changeOf: (value: unknown) => KeyChange,
  value?: Argument,
): Command {
  const command = new Command(name)
    .description(description)
    .argument('<ID>', 'the id that "keys list" shows')
    .option('--json', 'print {"id","changed"} for programs');
  if (value !== undefined) command.addArgument(value);
  return addSettingOptions(command, ['data']).action(async (...args: readonly unknown[]) => {
    const id = String(args[0]);
    const given = value === undefined ? undefined : args[1];
    const flags = command.opts<{ readonly json?: boolean }>();
    const { settings } = await settingsOf({ ...flags });
    const change = changeOf(given);
    if (change.type === 'set-plan' && change.plan !== undefined) requirePlan(settings, change.plan);
    const changed = await changeKey(settings.data, id, change);
    const text = flags.json ? JSON.stringify({ id, changed }) : sentence(id, name, changed);
    print(`${text}\n`);
  });
}

function sentence(id: string, name: string, changed: boolean): string {
  return changed ? `Key ${id}: ${name} is done.` : `Key ${id} was that way already.`;
}
