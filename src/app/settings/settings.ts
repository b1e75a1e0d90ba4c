import { resolve } from 'node:path';
import { isPlanName } from '../../auth/rate-plans.ts';
import { allowanceForm, parseAllowance } from '../../domain/rate-limit.ts';
import type { Allowance } from '../../domain/rate-limit.ts';
import { addressRanges } from '../../lib/address-ranges.ts';

/** One setting: how it is told, what it may be, and what it means. */
export interface Setting<T> {
  /** What the value looks like in `--help`: `PORT`, `DIR`; absent for a switch. */
  readonly placeholder?: string;
  /** The default, as a person would write it. */
  readonly fallback: string;
  readonly description: string;
  /** What a valid value is, for the message about an invalid one. */
  readonly valid: string;
  /** The value that a text says, or undefined when it says none. */
  readonly parse: (text: string) => T | undefined;
}

/**
 * The one table of settings. Environment variables, flags, the configuration file, `--help` and
 * `docs/settings.md` all follow from it: `publicPort` is `--public-port`, `PIZARRA_PUBLIC_PORT`, and
 * `publicPort:` in the file.
 */
export const settingsTable = {
  host: text('HOST', '127.0.0.1', 'Address that the public listener binds to.'),
  port: integer(
    'PORT',
    8080,
    { min: 0, max: 65_535 },
    'Port of the public listener; 0 takes a free one.',
  ),
  workers: processes(
    'Processes that answer on the public port; auto is one for each core. One of them moves the market, and alone writes.',
  ),
  data: directory('./data', 'Data directory. Created on first use, for its owner only.'),
  universe: directory(
    resolve(import.meta.dirname, '../../../universe'),
    'Directory of the universe files.',
  ),
  demonstration: oneOf(
    ['auto', 'off'],
    'auto',
    'Whether made-up prices are shown while nothing is imported, no feed is configured and no key may push; off shows an empty market instead.',
  ),
  basePath: basePath('Path in front of every public path, such as /v5.'),
  logLevel: oneOf(
    ['trace', 'debug', 'info', 'warn', 'error', 'silent'],
    'info',
    'Least severity that is logged.',
  ),
  logFormat: oneOf(
    ['auto', 'pretty', 'json'],
    'auto',
    'Log lines for people or for programs; auto decides by the terminal.',
  ),
  accessLog: oneOf(
    ['all', 'refused', 'off'],
    'refused',
    'Which responses are logged, with the id of their key. The private listener logs all of its responses unless this is off. With all, a poll takes three times the processor time.',
  ),
  tickersPerRequestMax: integer('N', 500, { min: 1, max: 10_000 }, 'Most tickers in one request.'),
  requestLineBytesMax: integer(
    'BYTES',
    16_384,
    { min: 1024, max: 65_536 },
    'Longest request line; a longer one is answered 414.',
  ),
  requestHeadBytesMax: integer(
    'BYTES',
    32_768,
    { min: 8192, max: 262_144 },
    'Most bytes of target and headers together; more is answered 431.',
  ),
  historyCacheMib: integer(
    'MIB',
    64,
    { min: 1, max: 65_536 },
    'Most memory for histories that are ready to be answered; a series of 20 years takes 0.4 MiB.',
  ),
  headersTimeoutMs: integer(
    'MS',
    5_000,
    { min: 100, max: 120_000 },
    'Longest wait for the headers of a request.',
  ),
  requestTimeoutMs: integer(
    'MS',
    10_000,
    { min: 100, max: 300_000 },
    'Longest wait for a whole request.',
  ),
  keepAliveTimeoutMs: integer(
    'MS',
    30_000,
    { min: 100, max: 600_000 },
    'How long an idle connection stays open.',
  ),
  drainIdleMs: integer(
    'MS',
    1_000,
    { min: 0, max: 60_000 },
    'How long a stop still accepts connections and answers requests, so that those on their way are not lost; and how long a connection must then be idle to be closed.',
  ),
  drainMs: integer(
    'MS',
    10_000,
    { min: 0, max: 600_000 },
    'How long stopping waits for answers that are under way.',
  ),
  settleDelayMinutes: integer(
    'MINUTES',
    15,
    { min: 0, max: 1_440 },
    'How long after a market closes prices of its session are still accepted, in minutes. Then the session enters history. A later correction of its close enters history within a second.',
  ),
  streamsPerKeyMax: integer(
    'N',
    100,
    { min: 1, max: 100_000 },
    'Most streams that one key may have open; one more is answered 429.',
  ),
  streamsMax: integer(
    'N',
    5_000,
    { min: 1, max: 100_000 },
    'Most streams of all keys together; one more is answered 503. Each takes a file descriptor.',
  ),
  streamHeartbeatMs: integer(
    'MS',
    15_000,
    { min: 1_000, max: 300_000 },
    'A stream that is silent for as long gets a comment, so that no proxy closes it.',
  ),
  streamStallMs: integer(
    'MS',
    30_000,
    { min: 1_000, max: 600_000 },
    'How long a client may leave its stream unread, once its connection is full.',
  ),
  tlsCert: text(
    'FILE',
    '',
    'Certificate chain, PEM. With it and tlsKey the public listener speaks TLS; both are read again when they change.',
    { isOptional: true },
  ),
  tlsKey: text('FILE', '', 'Private key of the certificate, PEM.', { isOptional: true }),
  behindProxy: addresses(
    'Addresses of the proxies that end TLS in front of the public listener. Forwarded, X-Forwarded-For and X-Forwarded-Proto are trusted only from these, and without tlsCert only these and loopback may send plain HTTP; other peers get 403.',
  ),
  corsOrigins: origins('Origins whose scripts may read answers in a browser; none unless told.'),
  connectionsPerAddressMax: integer(
    'N',
    1_000,
    { min: 1, max: 1_000_000 },
    'Most connections of one address (of an IPv6 /64); one more is closed at once. The proxies of behindProxy are exempt.',
  ),
  connectionsMax: integer(
    'N',
    10_000,
    { min: 1, max: 1_000_000 },
    'Most connections of the public listener; one more is closed at once. Each takes a file descriptor.',
  ),
  answerTimeoutMs: integer(
    'MS',
    60_000,
    { min: 1_000, max: 3_600_000 },
    'How long a client may take to take what waits for it; then its connection is closed.',
  ),
  privateHost: text(
    'HOST',
    '127.0.0.1',
    'Address that the private listener binds to: pushed updates, metrics, readiness.',
  ),
  privatePort: integer(
    'PORT',
    8081,
    { min: 0, max: 65_535 },
    'Port of the private listener; 0 takes a free one.',
  ),
  updatesBodyBytesMax: integer(
    'BYTES',
    1_073_741_824,
    { min: 1024, max: 1_099_511_627_776 },
    'Longest body of pushed updates, decoded; of a longer one only the beginning is taken.',
  ),
  updatesTimeoutMs: integer(
    'MS',
    600_000,
    { min: 1_000, max: 86_400_000 },
    'Longest wait for a whole body of pushed updates.',
  ),
  plans: plans(
    'How much keys may ask for, by the name of a plan; a mapping in the configuration file.',
  ),
  defaultPlan: defaultPlan('Plan of keys that have none; empty for keys without a limit.'),
  failuresPerAddress: allowance(
    '60/min burst 120',
    'Most requests without a valid key from one address (an IPv6 /64); one more is answered 429.',
  ),
} as const satisfies Record<string, Setting<unknown>>;

/** The name of a setting. */
export type SettingName = keyof typeof settingsTable;

/** All settings, resolved. */
export type Settings = {
  readonly [K in SettingName]: NonNullable<ReturnType<(typeof settingsTable)[K]['parse']>>;
};

/** The names of all settings, in the order of the table. */
export const settingNames = Object.keys(settingsTable) as readonly SettingName[];

/** The environment variable of a setting: `basePath` → `PIZARRA_BASE_PATH`. */
export function environmentName(name: SettingName): string {
  return `PIZARRA_${name.replaceAll(/[A-Z]/g, '_$&').toUpperCase()}`;
}

/** The flag of a setting: `basePath` → `--base-path`. */
export function flagName(name: SettingName): string {
  return `--${name.replaceAll(/[A-Z]/g, '-$&').toLowerCase()}`;
}

function text(
  placeholder: string,
  fallback: string,
  description: string,
  { isOptional = false }: { readonly isOptional?: boolean } = {},
): Setting<string> {
  return {
    placeholder,
    fallback,
    description,
    valid: isOptional ? 'a text' : 'a text that is not empty',
    parse: (value) => (value === '' && !isOptional ? undefined : value),
  };
}

/** What a list in one text names: comma-separated, with or without spaces. */
function listed(value: string): readonly string[] {
  return value.split(',').flatMap((one) => (one.trim() === '' ? [] : [one.trim()]));
}

function addresses(description: string): Setting<readonly string[]> {
  return {
    placeholder: 'ADDRS',
    fallback: '',
    description,
    valid: 'addresses and ranges, comma-separated, such as 10.0.0.7,192.168.0.0/16',
    parse: (value) => (addressRanges(listed(value)) === undefined ? undefined : listed(value)),
  };
}

function isOrigin(value: string): boolean {
  return URL.canParse(value) && new URL(value).origin === value;
}

function origins(description: string): Setting<readonly string[]> {
  return {
    placeholder: 'ORIGINS',
    fallback: '',
    description,
    valid: 'origins, comma-separated, such as https://desk.example,http://localhost:5173',
    parse: (value) => (listed(value).every(isOrigin) ? listed(value) : undefined),
  };
}

function directory(fallback: string, description: string): Setting<string> {
  return { ...text('DIR', fallback, description), valid: 'a path' };
}

function integer(
  placeholder: string,
  fallback: number,
  { min, max }: { readonly min: number; readonly max: number },
  description: string,
): Setting<number> {
  return {
    placeholder,
    fallback: String(fallback),
    description,
    valid: `a whole number from ${min} to ${max}`,
    parse: (value) => {
      const number = Number(value);
      return /^\d+$/.test(value) && number >= min && number <= max ? number : undefined;
    },
  };
}

function processes(description: string): Setting<number | 'auto'> {
  const count = integer('N', 1, { min: 1, max: 256 }, description);
  return {
    ...count,
    valid: `auto, or ${count.valid}`,
    parse: (value) => (value === 'auto' ? value : count.parse(value)),
  };
}

function allowance(fallback: string, description: string): Setting<Allowance> {
  return {
    placeholder: 'LIMIT',
    fallback,
    description,
    valid: allowanceForm,
    parse: parseAllowance,
  };
}

function plans(description: string): Setting<ReadonlyMap<string, Allowance>> {
  return {
    placeholder: 'JSON',
    fallback: '{}',
    description,
    valid: 'names with limits, such as {"free": "60/min burst 20", "inside": "unlimited"}',
    parse: parsePlans,
  };
}

/** In the file it is a mapping, which arrives here as JSON. */
function parsePlans(json: string): ReadonlyMap<string, Allowance> | undefined {
  let value: unknown;
  try {
    value = JSON.parse(json);
  } catch {
    return undefined;
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined;
  const parsed = new Map<string, Allowance>();
  for (const [name, limit] of Object.entries(value)) {
    const one = typeof limit === 'string' ? parseAllowance(limit) : undefined;
    if (one === undefined || !isPlanName(name)) return undefined;
    parsed.set(name, one);
  }
  return parsed;
}

function defaultPlan(description: string): Setting<string> {
  return {
    placeholder: 'NAME',
    fallback: '',
    description,
    valid: 'empty, or the name of a plan',
    parse: (value) => (value === '' || isPlanName(value) ? value : undefined),
  };
}

function oneOf<const T extends string>(
  values: readonly T[],
  fallback: T,
  description: string,
): Setting<T> {
  return {
    placeholder: 'WORD',
    fallback,
    description,
    valid: `one of ${values.join(', ')}`,
    parse: (value) => values.find((one) => one === value),
  };
}

function basePath(description: string): Setting<string> {
  return {
    placeholder: 'PATH',
    fallback: '',
    description,
    valid: 'empty, or segments of letters, digits, dots, dashes and underscores, such as /v5',
    parse: (value) => (/^(?:\/[\w.-]+)*$/.test(value) ? value : undefined),
  };
}
