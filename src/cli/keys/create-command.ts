import { Command, Option } from 'commander';
import { createKey, servingNodes, type NewKey, type ServingNodes } from '../../node/keys/keys.ts';
import { flagName, type SettingName } from '../../config/settings/settings.ts';
import { requirePlan } from '../../config/settings/rate-plans.ts';
import { keyScopes, type KeyLabels, type KeyScope } from '../../domain/access/api-key.ts';
import type { Allowance } from '../../domain/access/rate-limit.ts';
import { addSettingOptions, settingsOf } from '../flags/setting-options.ts';
import { parseExpiry, parseLabel, parseLimit, parseName, personOption } from './parse-key-flags.ts';
import { print, printError } from '../terminal/print.ts';

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
      new Option(
        '--scope <SCOPE>',
        'what the key permits; url: reading tables, with the key in the URL',
      )
        .choices(keyScopes)
        .default('read'),
    )
    .option(
      '--expires <DATE>',
      'last valid day (YYYY-MM-DD, Buenos Aires), or an instant; required with --scope url',
      parseExpiry,
    )
    .option('--label <NAME=VALUE>', 'a label; may be repeated', parseLabel)
    .option(
      '--plan <PLAN>',
      'a configured plan; if absent, the default plan, or urlKeyPlan with --scope url',
    )
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
    // Read before the key is created, because a failure afterwards would hide the key.
    const running = scope === 'url' ? await servingNodes(settings.store) : undefined;
    const { id, key } = await createKey(settings.store, wish, flags.as);
    print(`${createdText({ id, key }, flags, running)}\n`);
    if (running !== undefined) printError(urlKeyNote(running));
  });
}

const urlKeysName: SettingName = 'urlKeys';
const basePathName: SettingName = 'basePath';

const switchOn = `set "${urlKeysName}: on" in the configuration file and send the service a SIGHUP, or start it with "${flagName(urlKeysName)} on". Read docs/security.md first: whoever sees such a URL can use its key.`;

/** A key that nothing accepts yet would otherwise look like a fault of the tool that sends it. */
function urlKeyNote({ place, nodes }: ServingNodes): string {
  if (nodes.length === 0) {
    return `No service runs on ${place}, or it has not published its address. The address and the ${basePathName} of the service come before /clave. To accept the key, ${switchOn}\n`;
  }
  if (nodes.every(({ urlKeys }) => urlKeys !== false)) return '';
  return `The service refuses keys for URLs, because its setting ${urlKeysName} is off. To accept the key, ${switchOn}\n`;
}

function createdText(
  { id, key }: NewKey,
  { name, scope, json, keyOnly }: CreateFlags,
  running: ServingNodes | undefined,
): string {
  if (json === true) return JSON.stringify({ id, key });
  if (keyOnly === true) return key;
  if (running !== undefined) {
    const path = `/clave/${key}/cotizaciones?panel=LID`;
    const addresses = new Set(running.nodes.map(({ advertisedUrl }) => advertisedUrl));
    const urls = addresses.size === 0 ? [path] : [...addresses].map((at) => at + path);
    return `Key ${id} for URLs, for ${name}. It is shown only now. Whoever sees the URL can use it:\n\n${urls.map((url) => `  ${url}\n`).join('')}`;
  }
  return `Key ${id} (${scope}) for ${name}. It is shown only now; keep it safe:\n\n  ${key}\n`;
}
