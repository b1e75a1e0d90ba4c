import { integer } from './kinds.ts';
import type { SettingTable } from './setting.ts';

/** What streams may cost. */
export const streamSettings = {
  streamsMax: {
    group: 'Streams',
    kind: integer('N', { min: 1, max: 100_000 }),
    fallback: '5000',
    description:
      'Maximum number of concurrent streams, over all keys. Further streams get 503. Each stream takes a file descriptor.',
    reloadable: true,
    sharedOverWorkers: true,
  },
  streamsPerKeyMax: {
    group: 'Streams',
    kind: integer('N', { min: 1, max: 100_000 }),
    fallback: '100',
    description:
      'Maximum number of concurrent streams of one key, over all processes of a node. Further streams get 429. Each node of a cluster counts its own.',
    reloadable: true,
  },
  streamHeartbeatMs: {
    group: 'Streams',
    kind: integer('MS', { min: 1_000, max: 300_000 }),
    fallback: '15000',
    description:
      'Maximum time without data on a stream, in milliseconds. Then the service sends a comment, so that no proxy closes the connection.',
    reloadable: true,
  },
  streamStallMs: {
    group: 'Streams',
    kind: integer('MS', { min: 1_000, max: 600_000 }),
    fallback: '30000',
    description:
      'Maximum time for which a client may stop reading its stream, in milliseconds. Then the stream is closed.',
    reloadable: true,
  },
} as const satisfies SettingTable;
