import { Command, Option } from 'commander';
import { createKey } from '../../app/keys/keys.ts';
import { requirePlan } from '../../app/settings/rate-plans.ts';
import { keyScopes } from '../../domain/api-key.ts';
import type { KeyLabels, KeyScope } from '../../domain/api-key.ts';
import type { Allowance } from '../../domain/rate-limit.ts';
import { addSettingOptions, settingsOf } from '../flags/setting-options.ts';
import { parseExpiry, parseLabel, parseLimit, parseName } from './parse-key-flags.ts';
import { print } from '../terminal/print.ts';

interface CreateFlags {
  readonly name: string;
  readonly scope: KeyScope;
  readonly expires?: number;
  readonly label?: KeyLabels;
  readonly plan?: string;
  readonly limit?: Allowance;
  readonly json?: boolean;
}

/** `pizarra keys create` */
export function createCommand(): Command {
  const command = new Command('create')
    .description('make a key and show it, this once')
    .requiredOption('--name <NAME>', 'who or what it is for', parseName)
    .addOption(new Option('--scope <SCOPE>', 'what it opens').choices(keyScopes).default('read'))
    .option(
      '--expires <DATE>',
      'its last day (YYYY-MM-DD, Buenos Aires), or an instant',
      parseExpiry,
    )
    .option('--label <NAME=VALUE>', 'something to know it by; may be repeated', parseLabel)
    .option('--plan <PLAN>', 'a plan of the configuration; else the default plan holds')
    .option('--limit <LIMIT>', 'a limit of its own, such as "60/min burst 20"', parseLimit)
    .option('--json', 'print {"id","key"} for programs');
  return addSettingOptions(command, ['data']).action(async (flags: CreateFlags) => {
    const { settings } = await settingsOf({ ...flags });
    const { name, scope, expires, label, plan, limit } = flags;
    if (plan !== undefined) requirePlan(settings, plan);
    const wish = { name, scope, expiresAt: expires, labels: label, plan, limit };
    const { id, key } = await createKey(settings.data, wish);
    const text = flags.json
      ? JSON.stringify({ id, key })
      : `Key ${id} (${scope}) for ${name}. It is shown only now; keep it safe:\n\n  ${key}\n`;
    print(`${text}\n`);
  });
}
