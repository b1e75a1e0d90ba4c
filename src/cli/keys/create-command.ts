import { Command, Option } from 'commander';
import { createKey } from '../../node/keys/keys.ts';
import type { NewKey } from '../../node/keys/keys.ts';
import { requirePlan } from '../../config/settings/rate-plans.ts';
import { keyScopes } from '../../domain/access/api-key.ts';
import type { KeyLabels, KeyScope } from '../../domain/access/api-key.ts';
import type { Allowance } from '../../domain/access/rate-limit.ts';
import { addSettingOptions, settingsOf } from '../flags/setting-options.ts';
import { parseExpiry, parseLabel, parseLimit, parseName, personOption } from './parse-key-flags.ts';
import { print } from '../terminal/print.ts';

interface CreateFlags {
  readonly name: string;
  readonly scope: KeyScope;
  readonly expires?: number;
  readonly label?: KeyLabels;
  readonly plan?: string;
  readonly limit?: Allowance;
  readonly as?: string;
  readonly json?: boolean;
  readonly keyOnly?: boolean;
}

/** `pizarra keys create` */
export function createCommand(): Command {
  const command = new Command('create')
    .description('create a key and show it, this one time')
    .requiredOption('--name <NAME>', 'user or purpose of the key', parseName)
    .addOption(
      new Option('--scope <SCOPE>', 'what the key permits').choices(keyScopes).default('read'),
    )
    .option(
      '--expires <DATE>',
      'last valid day (YYYY-MM-DD, Buenos Aires), or an instant',
      parseExpiry,
    )
    .option('--label <NAME=VALUE>', 'a label; may be repeated', parseLabel)
    .option('--plan <PLAN>', 'a configured plan; if absent, the default plan')
    .option(
      '--limit <LIMIT>',
      'a rate limit that replaces the plan, such as "60/min burst 20"',
      parseLimit,
    )
    .addOption(personOption())
    .addOption(
      new Option('--key-only', 'print nothing but the key, for a variable or a file').conflicts(
        'json',
      ),
    )
    .option('--json', 'print {"id","key"} as JSON');
  return addSettingOptions(command, ['store']).action(async (flags: CreateFlags) => {
    const { settings } = await settingsOf({ ...flags });
    const { name, scope, expires, label, plan, limit } = flags;
    if (plan !== undefined) requirePlan(settings, plan);
    const wish = { name, scope, expiresAt: expires, labels: label, plan, limit };
    const { id, key } = await createKey(settings.store, wish, flags.as);
    print(`${createdText({ id, key }, flags)}\n`);
  });
}

function createdText({ id, key }: NewKey, { name, scope, json, keyOnly }: CreateFlags): string {
  if (json === true) return JSON.stringify({ id, key });
  if (keyOnly === true) return key;
  return `Key ${id} (${scope}) for ${name}. It is shown only now; keep it safe:\n\n  ${key}\n`;
}
