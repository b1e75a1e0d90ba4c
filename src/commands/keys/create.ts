import { flagName, type SettingName } from '../../config/settings/settings.ts';
import { requirePlan } from '../../config/settings/rate-plans.ts';
import { keyScopes } from '../../domain/access/api-key.ts';
import { systemClock } from '../../lib/time/clock.ts';
import { instantText } from '../../lib/time/instant-text.ts';
import { createKey, rotateKey, servingNodes, type ServingNodes } from '../../node/keys/keys.ts';
import { command } from '../form/command.ts';
import {
  parseDuration,
  parseExpiry,
  parseLabel,
  parseLimit,
  parseName,
  personFlag,
} from './key-flags.ts';

export const create = command({
  name: 'create',
  summary: 'create a key and show it, this one time',
  flags: {
    name: {
      value: '<NAME>',
      text: 'user or purpose of the key',
      parse: parseName,
      isRequired: true,
    },
    scope: {
      value: '<SCOPE>',
      text: 'what the key permits; url: reading tables, with the key in the URL',
      choices: keyScopes,
      fallback: 'read',
    },
    expires: {
      value: '<DATE>',
      text: 'last valid day (YYYY-MM-DD, Buenos Aires), or an instant; required with --scope url',
      parse: parseExpiry,
    },
    label: { value: '<NAME=VALUE>', text: 'a label; may be repeated', parse: parseLabel },
    plan: {
      value: '<PLAN>',
      text: 'a configured plan; if absent, the default plan, or urlKeyPlan with --scope url',
    },
    limit: {
      value: '<LIMIT>',
      text: 'a rate limit that replaces the plan, such as "60/min burst 20"',
      parse: parseLimit,
    },
    as: personFlag,
    keyOnly: {
      text: 'print nothing but the key, for a variable or a file',
      conflicts: ['json'],
    },
    json: { text: 'print {"id","key"} as JSON' },
  },
  settings: ['store'],
  examples: [
    'pizarra keys create --name desk',
    'pizarra keys create --name feed --scope ingest --key-only > ingest.key',
    'pizarra keys create --name trial --expires 2027-12-31 --limit "60/min burst 20"',
    'pizarra keys create --name sheet --scope url --expires 2027-03-31',
  ],
  async run({ flags, configuration }) {
    const { settings } = await configuration();
    const { name, scope, expires: expiresAt, label: labels, plan, limit, keyOnly } = flags;
    if (plan !== undefined) requirePlan(settings, plan);
    const wish = { name, scope, expiresAt, labels, plan, limit };
    // Read before the key is created, because a failure afterwards would hide the key.
    const running = scope === 'url' ? await servingNodes(settings.store) : undefined;
    const { id, key } = await createKey(settings.store, wish, flags.as);
    const text =
      running === undefined
        ? `Key ${id} (${scope}) for ${name}. It is shown only now; keep it safe:\n\n  ${key}\n`
        : `Key ${id} for URLs, for ${name}. It is shown only now. Whoever sees the URL can use it:\n\n${urlLines(key, running)}`;
    return {
      sections: [keyOnly ? key : text],
      json: { id, key },
      notes: [
        ...expiryNotes(id, expiresAt),
        ...(running === undefined ? [] : urlKeyNotes(running)),
      ],
    };
  },
});

function urlLines(key: string, { nodes }: ServingNodes): string {
  const path = `/clave/${key}/cotizaciones?panel=LID`;
  const addresses = new Set(nodes.map(({ advertisedUrl }) => advertisedUrl));
  const urls = addresses.size === 0 ? [path] : [...addresses].map((at) => at + path);
  return urls.map((url) => `  ${url}\n`).join('');
}

const urlKeysName: SettingName = 'urlKeys';
const basePathName: SettingName = 'basePath';

const switchOn = `set "${urlKeysName}: on" in the configuration file and send the service a SIGHUP, or start it with "${flagName(urlKeysName)} on". Read docs/security.md first: whoever sees such a URL can use its key.`;

/** A mistyped year would otherwise look like a fault of the service. */
function expiryNotes(id: string, expiresAt = Infinity): readonly string[] {
  if (expiresAt > systemClock.now()) return [];
  return [
    `The key has expired already, because ${instantText(expiresAt)} is past. To extend it, run "pizarra keys set-expiry ${id} DATE".`,
  ];
}

/** A key that nothing accepts yet would otherwise look like a fault of the tool that sends it. */
function urlKeyNotes({ place, nodes }: ServingNodes): readonly string[] {
  if (nodes.length === 0) {
    return [
      `No service runs on ${place}, or it has not published its address. The address and the ${basePathName} of the service come before /clave. To accept the key, ${switchOn}`,
    ];
  }
  if (nodes.every(({ urlKeys }) => urlKeys !== false)) return [];
  return [
    `The service refuses keys for URLs, because its setting ${urlKeysName} is off. To accept the key, ${switchOn}`,
  ];
}

export const rotate = command({
  name: 'rotate',
  summary: 'create a key that replaces another; both are valid until the old one expires',
  args: { id: ['<ID>', 'the id of the old key'] },
  flags: {
    overlap: {
      value: '<TIME>',
      text: 'how long the old key remains valid: 90s, 30m, 24h, 7d, or 0',
      parse: parseDuration,
      isRequired: true,
    },
    as: personFlag,
    json: { text: 'print {"id","key","replaces","oldExpiresAt"} as JSON' },
  },
  settings: ['store'],
  examples: ['pizarra keys rotate 4kQ9ZtB2xa --overlap 24h'],
  async run({ args, flags, configuration }) {
    const { settings } = await configuration();
    const { id, key, replaces, oldEndsAt } = await rotateKey(settings.store, args.id, {
      overlapMs: flags.overlap,
      person: flags.as,
    });
    const oldExpiresAt = instantText(oldEndsAt);
    return {
      sections: [
        `Key ${id} replaces ${replaces}, which expires at ${oldExpiresAt}. It is shown only now; keep it safe:\n\n  ${key}\n`,
      ],
      json: { id, key, replaces, oldExpiresAt },
    };
  },
});
