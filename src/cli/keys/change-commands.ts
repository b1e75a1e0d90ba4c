import { Argument, Command } from 'commander';
import { changeKey } from '../../node/keys/keys.ts';
import { requirePlan } from '../../config/settings/rate-plans.ts';
import type { KeyLabels } from '../../domain/access/api-key.ts';
import type { KeyChange } from '../../domain/access/key-change.ts';
import type { Allowance } from '../../domain/access/rate-limit.ts';
import { addSettingOptions, settingsOf } from '../flags/setting-options.ts';
import { parseExpiry, parseLabel, parseLimit, personOption } from './parse-key-flags.ts';
import { print } from '../terminal/print.ts';

/** The commands that change one property of one key. */
export function changeCommands(): readonly Command[] {
  return [
    changeCommand('revoke', 'revoke a key permanently', () => ({ type: 'revoke' })),
    changeCommand('disable', 'disable a key until it is enabled again', () => ({
      type: 'disable',
    })),
    changeCommand('enable', 'enable a disabled key', () => ({ type: 'enable' })),
    changeCommand(
      'set-plan',
      'set the rate plan of a key',
      (plan) => ({ type: 'set-plan', plan: plan as string | undefined }),
      new Argument('[PLAN]', 'a configured plan; if absent, the default plan'),
    ),
    changeCommand(
      'set-limit',
      'set a rate limit for a key that replaces its plan',
      (limit) => ({ type: 'set-limit', limit: limit as Allowance | undefined }),
      new Argument(
        '[LIMIT]',
        'such as "60/min burst 20"; if absent, the limit of the plan',
      ).argParser(parseLimit),
    ),
    changeCommand(
      'set-labels',
      'replace all labels of a key',
      (labels = {}) => ({ type: 'set-labels', labels: labels as KeyLabels }),
      new Argument('[NAME=VALUE...]', 'the labels; if absent, all labels are removed').argParser(
        parseLabel,
      ),
    ),
    changeCommand(
      'set-expiry',
      'set the expiry of a key',
      (expiresAt) => ({ type: 'set-end', expiresAt: expiresAt as number | undefined }),
      new Argument(
        '[DATE]',
        'the last valid day, or an instant; if absent, the key never expires',
      ).argParser(parseExpiry),
    ),
  ];
}

/**
 * A command with the id of a key and at most one value. The change is made from the parsed value, or
 * from undefined if the value is absent.
 */
function changeCommand(
  name: string,
  description: string,
  changeOf: (value: unknown) => KeyChange,
  value?: Argument,
): Command {
  const command = new Command(name)
    .description(description)
    .argument('<ID>', 'the id of the key, as in "keys list"')
    .addOption(personOption())
    .option('--json', 'print {"id","changed"} as JSON');
  if (value !== undefined) command.addArgument(value);
  return addSettingOptions(command, ['store']).action(async (...args: readonly unknown[]) => {
    const id = String(args[0]);
    const given = value === undefined ? undefined : args[1];
    const flags = command.opts<{ readonly as?: string; readonly json?: boolean }>();
    const { settings } = await settingsOf({ ...flags });
    const change = changeOf(given);
    if (change.type === 'set-plan' && change.plan !== undefined) requirePlan(settings, change.plan);
    const changed = await changeKey(settings.store, id, change, flags.as);
    const text = flags.json ? JSON.stringify({ id, changed }) : sentence(id, name, changed);
    print(`${text}\n`);
  });
}

function sentence(id: string, name: string, changed: boolean): string {
  return changed
    ? `Key ${id} changed: ${name}.`
    : `Key ${id} is unchanged: it already was as requested.`;
}
