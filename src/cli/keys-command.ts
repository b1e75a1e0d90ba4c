import { Command, InvalidArgumentError, Option } from 'commander';
import { changeKey, createKey, listKeys } from '../app/keys.ts';
import { keyScopes } from '../domain/api-key.ts';
import type { ApiKeyRecord, KeyScope } from '../domain/api-key.ts';
import { addDays, parsePlainDate } from '../domain/plain-date.ts';
import { addSettingOptions, settingsOf } from './setting-options.ts';
import { formatTable } from './table.ts';

/** The zone in which an operator's dates are meant. */
const timeZone = 'America/Argentina/Buenos_Aires';

/** `pizarra keys`: hands out and revokes API keys. */
export function keysCommand(): Command {
  return new Command('keys')
    .description('create, list and revoke API keys')
    .addCommand(createCommand())
    .addCommand(listCommand())
    .addCommand(revokeCommand());
}

function createCommand(): Command {
  const command = new Command('create')
    .description('make a key and show it, this once')
    .requiredOption('--name <NAME>', 'who or what it is for', parseName)
    .addOption(new Option('--scope <SCOPE>', 'what it opens').choices(keyScopes).default('read'))
    .option(
      '--expires <DATE>',
      'its last day (YYYY-MM-DD, Buenos Aires), or an instant',
      parseExpiry,
    )
    .option('--json', 'print {"id","key"} for programs');
  return addSettingOptions(command, ['data']).action(async (flags: CreateFlags) => {
    const { settings } = await settingsOf({ ...flags });
    const { name, scope, expires } = flags;
    const { id, key } = await createKey(settings.data, { name, scope, expiresAt: expires });
    const text = flags.json
      ? JSON.stringify({ id, key })
      : `Key ${id} (${scope}) for ${name}. It is shown only now; keep it safe:\n\n  ${key}\n`;
    process.stdout.write(`${text}\n`);
  });
}

interface CreateFlags {
  readonly name: string;
  readonly scope: KeyScope;
  readonly expires?: number;
  readonly json?: boolean;
}

function listCommand(): Command {
  const command = new Command('list')
    .description('show all keys that were made, never what opens anything')
    .option('--json', 'one JSON array, for programs');
  return addSettingOptions(command, ['data']).action(async (flags: { readonly json?: boolean }) => {
    const { settings } = await settingsOf({ ...flags });
    const keys = await listKeys(settings.data);
    const now = Date.now();
    const text = flags.json
      ? JSON.stringify(keys.map((key) => publicPart(key, now)))
      : formatTable(
          ['ID', 'NAME', 'SCOPE', 'STATE', 'CREATED', 'EXPIRES'],
          keys.map((key) => rowOf(key, now)),
        );
    process.stdout.write(`${text}\n`);
  });
}

function revokeCommand(): Command {
  const command = new Command('revoke')
    .description('end a key for good')
    .argument('<ID>', 'the id that "keys list" shows');
  return addSettingOptions(command, ['data']).action(async (id: string, flags: object) => {
    const { settings } = await settingsOf({ ...flags });
    await changeKey(settings.data, id, { type: 'revoke' });
    process.stdout.write(`Key ${id} is revoked.\n`);
  });
}

function publicPart(key: ApiKeyRecord, now: number): object {
  const { id, name, scope, createdAt, expiresAt, revokedAt } = key;
  return {
    id,
    name,
    scope,
    state: stateOf(key, now),
    createdAt: instantText(createdAt),
    expiresAt: expiresAt === undefined ? null : instantText(expiresAt),
    revokedAt: revokedAt === undefined ? null : instantText(revokedAt),
  };
}

function rowOf(key: ApiKeyRecord, now: number): readonly string[] {
  const { id, name, scope, createdAt, expiresAt } = key;
  const expires = expiresAt === undefined ? 'never' : instantText(expiresAt);
  return [id, name, scope, stateOf(key, now), instantText(createdAt), expires];
}

function stateOf({ revokedAt, expiresAt }: ApiKeyRecord, now: number): string {
  if (revokedAt !== undefined) return 'revoked';
  return expiresAt !== undefined && now >= expiresAt ? 'expired' : 'active';
}

function instantText(epochMs: number): string {
  return new Date(epochMs).toISOString().replace('.000Z', 'Z');
}

function parseName(text: string): string {
  const name = text.trim();
  if (name !== '' && name.length <= 100 && !/\p{Cc}/u.test(name)) return name;
  throw new InvalidArgumentError('It takes 1 to 100 printable characters.');
}

/** When a key ends: a day is meant whole, so it ends as the next one begins. */
function parseExpiry(text: string): number {
  const date = parsePlainDate(text);
  if (date !== undefined) {
    const next = Temporal.PlainDate.from(addDays(date, 1));
    return next.toZonedDateTime(timeZone).epochMilliseconds;
  }
  try {
    return Temporal.Instant.from(text).epochMilliseconds;
  } catch {
    throw new InvalidArgumentError(
      'It takes a day (2027-01-31) or an instant (2027-01-31T12:00:00Z).',
    );
  }
}
