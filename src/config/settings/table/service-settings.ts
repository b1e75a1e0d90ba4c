import { resolve } from 'node:path';

import { directory, integer, oneOf, place, processes } from './kinds.ts';
import { inGroup, type SettingTable } from './setting.ts';

/** What the service serves, from where, and with how many processes. */
export const serviceSettings = inGroup('Service', {
  store: {
    kind: place(),
    fallback: './data',
    description:
      'Where the data is: a directory with a SQLite database, or the URL of a PostgreSQL database (docs/scaling.md). Give a password in PGPASSWORD or in a password file, not in the URL.',
    secret: true,
  },
  role: {
    kind: oneOf(['all', 'write', 'serve']),
    fallback: 'all',
    description:
      'What this node does: serve requests, be a candidate for writing, or all. serve and write require a PostgreSQL store (docs/scaling.md).',
  },
  universe: {
    kind: directory(),
    fallback: resolve(import.meta.dirname, '../../../../universe'),
    description: 'Directory of the universe files.',
    reloadable: true,
  },
  market: {
    kind: oneOf(['none', 'argentina', 'argentina-completo']),
    fallback: 'none',
    description:
      'Preset of public sources, in addition to the feeds of the configuration file. argentina-completo adds sources whose terms are doubtful (docs/sources.md).',
    reloadable: true,
  },
  demonstration: {
    kind: oneOf(['auto', 'off']),
    fallback: 'auto',
    description:
      'Whether the service shows simulated prices until data is imported, a feed or a market is configured, or an ingest key is created. With off, and with a PostgreSQL store, there are no quotes until then.',
  },
  settleDelayMinutes: {
    kind: integer('MINUTES', { min: 0, max: 1_440 }),
    fallback: '15',
    description:
      'Time after the close of a market for which prices of its session are still accepted, in minutes. Then the session enters history.',
    reloadable: true,
  },
  firstPriceAgeDays: {
    kind: integer('DAYS', { min: 1, max: 100_000 }),
    fallback: '30',
    description:
      'Maximum age of the first price of a session, in days. An older price is refused as too-old, because its source no longer updates the instrument. Raise it to push sessions of the past.',
    reloadable: true,
  },
  historyFetch: {
    kind: oneOf(['auto', 'off']),
    fallback: 'auto',
    description:
      'Whether the service fills gaps of the last 400 days of its history from the configured sources, and refreshes the indices every three hours. With off, only pizarra history fetch and pizarra indices fetch do.',
    reloadable: true,
  },
  intradaySessions: {
    kind: integer('N', { min: 0, max: 250 }),
    fallback: '10',
    description:
      'Number of sessions of each instrument whose minute bars are kept. Older ones are removed. With 0, no bars are recorded, and those that exist are removed.',
    reloadable: true,
  },
  keysStaleMaxSeconds: {
    kind: integer('SECONDS', { min: 1, max: 86_400 }),
    fallback: '900',
    description:
      'Maximum time for which keys are accepted after the store last confirmed them, in seconds. Meanwhile a revoked key may still be accepted (docs/security.md). Afterwards every key gets 503 until the store responds.',
  },
  workers: {
    kind: processes(256),
    fallback: '1',
    description: 'Number of processes that serve the public port; auto starts one per core.',
  },
} as const satisfies SettingTable);

/** What is logged, and how. */
export const logSettings = inGroup('Log', {
  logLevel: {
    kind: oneOf(['trace', 'debug', 'info', 'warn', 'error', 'silent']),
    fallback: 'info',
    description: 'Minimum severity of the messages that are logged.',
    reloadable: true,
  },
  logFormat: {
    kind: oneOf(['auto', 'pretty', 'json']),
    fallback: 'auto',
    description:
      'Format of the log. With auto it is pretty on a terminal, and JSON lines otherwise.',
  },
  accessLog: {
    kind: oneOf(['all', 'refused', 'off']),
    fallback: 'refused',
    description:
      'Which responses of the public listener are logged, with the id of the key. The private listener logs all responses, or none with off. With all, a request takes three times the processor time.',
  },
} as const satisfies SettingTable);
