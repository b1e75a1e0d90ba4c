import { keyStateAt, type ApiKeyRecord } from '../../domain/access/api-key.ts';
import { labelsText } from '../../domain/access/key-change.ts';
import { formatAllowance } from '../../domain/access/rate-limit.ts';
import { systemClock } from '../../lib/time/clock.ts';
import { instantText } from '../../lib/time/instant-text.ts';
import { printable } from '../../lib/text/printable.ts';
import { findKey } from '../../node/keys/keys.ts';
import { command } from '../form/command.ts';
import { formatTable, rows } from '../form/report.ts';
import { keyIdArgument, parseCount } from './key-flags.ts';

export const list = command({
  name: 'list',
  summary: 'list all keys ever created; the keys themselves are not stored',
  flags: { json: { text: 'print one JSON array' } },
  settings: ['store'],
  examples: ['pizarra keys list', 'pizarra keys list --json'],
  async run({ openStore }) {
    const { keys } = await (await openStore('read')).keys.readAll();
    const now = systemClock.now();
    const head = ['ID', 'NAME', 'SCOPE', 'STATE', 'PLAN', 'LAST USED', 'EXPIRES', 'LABELS'];
    return {
      sections: [
        formatTable(
          head,
          keys.map((key) => keyCells(key, now)),
        ),
      ],
      json: keys.map((key) => keyObject(key, now)),
    };
  },
});

export const show = command({
  name: 'show',
  summary: 'show the details of a key',
  args: { id: keyIdArgument },
  flags: { json: { text: 'print one JSON object' } },
  settings: ['store'],
  examples: ['pizarra keys show 4kQ9ZtB2xa'],
  async run({ args, openStore }) {
    const { keys } = await (await openStore('read')).keys.readAll();
    const { key, replacedBy = null } = findKey(keys, args.id);
    const json = { ...keyObject(key, systemClock.now()), replacedBy };
    const lines = Object.entries(json)
      .filter(([, value]) => value !== null)
      .map(([name, value]) => [
        name,
        typeof value === 'string' ? value : labelsText(key.labels ?? {}),
      ]);
    const width = Math.max(...lines.map(([name = '']) => name.length));
    const sections = lines.map(([name = '', value = '']) =>
      `${name.padEnd(width)}  ${printable(value)}`.trimEnd(),
    );
    return { sections, json };
  },
});

export const audit = command({
  name: 'audit',
  summary: 'show the changes of keys: who, when and what, newest last',
  flags: {
    key: { value: '<ID>', text: 'only changes of this key' },
    last: {
      value: '<N>',
      text: 'maximum number of changes to show',
      parse: parseCount,
      fallback: 100,
    },
    json: { text: 'print one JSON array' },
  },
  settings: ['store'],
  examples: ['pizarra keys audit --last 20', 'pizarra keys audit --key 4kQ9ZtB2xa'],
  async run({ flags: { key, last }, openStore }) {
    const options = key === undefined ? { max: last } : { max: last, keyId: key };
    const events = await (await openStore('read')).keys.readEvents(options);
    return {
      sections: [
        rows(events, {
          at: ['AT', ({ at }) => instantText(at)],
          who: ['WHO', ({ who }) => who],
          keyId: ['KEY', ({ keyId }) => keyId],
          what: ['WHAT', ({ what }) => what],
          detail: ['DETAIL', ({ detail }) => detail],
        }),
      ],
    };
  },
});

function keyCells(key: ApiKeyRecord, now: number): readonly string[] {
  const { id, name, scope, expiresAt, lastUsedAt, labels = {} } = key;
  return [
    id,
    name,
    scope,
    keyStateAt(key, now),
    key.limit === undefined ? (key.plan ?? 'default') : formatAllowance(key.limit),
    lastUsedAt === undefined ? 'never' : hourText(lastUsedAt),
    expiresAt === undefined ? 'never' : instantText(expiresAt),
    labelsText(labels),
  ];
}

/** A key for JSON output, without its hash. All members are present, with null for unknown values. */
function keyObject(key: ApiKeyRecord, now: number) {
  const { id, name, scope, createdAt, limit, labels = {} } = key;
  return {
    id,
    name,
    scope,
    state: keyStateAt(key, now),
    plan: key.plan ?? null,
    limit: limit === undefined ? null : formatAllowance(limit),
    labels,
    createdAt: instantText(createdAt),
    expiresAt: instantOrNull(key.expiresAt),
    disabledAt: instantOrNull(key.disabledAt),
    revokedAt: instantOrNull(key.revokedAt),
    lastUsedHour: key.lastUsedAt === undefined ? null : hourText(key.lastUsedAt),
    replaces: key.replaces ?? null,
  };
}

/** An instant to the hour. The last use of a key is stored to the hour. */
function hourText(epochMs: number): string {
  return `${new Date(epochMs).toISOString().slice(0, 13)}h`;
}

function instantOrNull(epochMs: number | undefined): string | null {
  return epochMs === undefined ? null : instantText(epochMs);
}
