import { integer } from './kinds.ts';
import { inGroup, type SettingTable } from './setting.ts';

/** What one request and one connection may cost. */
export const requestSettings = inGroup('Requests and connections', {
  tickersPerRequestMax: {
    kind: integer('N', { min: 1, max: 10_000 }),
    fallback: '500',
    description: 'Maximum number of tickers in one request. A request with more gets 400.',
    reloadable: true,
  },
  requestLineBytesMax: {
    kind: integer('BYTES', { min: 1024, max: 65_536 }),
    fallback: '16384',
    description: 'Maximum size of a request line, in bytes. A longer one gets 414.',
  },
  requestHeadBytesMax: {
    kind: integer('BYTES', { min: 8192, max: 262_144 }),
    fallback: '32768',
    description:
      'Maximum size of the request target and all headers together, in bytes. A larger head gets 431.',
  },
  responsesMib: {
    kind: integer('MIB', { min: 1, max: 65_536 }),
    fallback: '64',
    description:
      'Maximum size of the cache of rendered responses and series, in MiB. Beyond it, the least recently used is evicted. A series of 20 years takes 0.4 MiB.',
    reloadable: true,
    sharedOverWorkers: true,
  },
  historyRowsMax: {
    kind: integer('N', { min: 1, max: 10_000_000 }),
    fallback: '100000',
    description:
      'Maximum number of rows in a response of /historicos with forma (with ancha, of rows multiplied by instruments), of /cambios and of /udf/history. A request for more gets 400. A row takes about 80 bytes.',
    reloadable: true,
  },
  connectionsMax: {
    kind: integer('N', { min: 1, max: 1_000_000 }),
    fallback: '10000',
    description:
      'Maximum number of concurrent connections of the public listener. Further connections are closed at once. Each connection takes a file descriptor.',
    sharedOverWorkers: true,
  },
  connectionsPerAddressMax: {
    kind: integer('N', { min: 1, max: 1_000_000 }),
    fallback: '1000',
    description:
      'Maximum number of concurrent connections of one client address (an IPv6 /64). Further connections are closed at once. The proxies of behindProxy are exempt.',
  },
  headersTimeoutMs: {
    kind: integer('MS', { min: 100, max: 120_000 }),
    fallback: '5000',
    description:
      "Maximum time to receive a request's headers, in milliseconds. Slower clients get 408.",
  },
  requestTimeoutMs: {
    kind: integer('MS', { min: 100, max: 300_000 }),
    fallback: '10000',
    description:
      'Maximum time to receive a whole request, in milliseconds. Slower clients get 408.',
  },
  responseTimeoutMs: {
    kind: integer('MS', { min: 1_000, max: 3_600_000 }),
    fallback: '60000',
    description:
      'Maximum time for a client to read a pending response, in milliseconds. Then the connection is closed.',
  },
  keepAliveTimeoutMs: {
    kind: integer('MS', { min: 100, max: 600_000 }),
    fallback: '30000',
    description:
      'Maximum time that a connection is idle between requests, in milliseconds. Then the connection is closed.',
  },
  drainIdleMs: {
    kind: integer('MS', { min: 0, max: 60_000 }),
    fallback: '1000',
    description:
      'Time for which a stopping service still accepts connections and requests, in milliseconds. Afterwards a connection is closed once it has been idle for as long.',
  },
  drainMs: {
    kind: integer('MS', { min: 0, max: 600_000 }),
    fallback: '10000',
    description:
      'Maximum time that a stopping service waits for responses in progress, in milliseconds. Then their connections are closed.',
  },
} as const satisfies SettingTable);

/** What streams may cost. */
export const streamSettings = inGroup('Streams', {
  streamsMax: {
    kind: integer('N', { min: 1, max: 100_000 }),
    fallback: '5000',
    description:
      'Maximum number of concurrent streams, over all keys. Further streams get 503. Each stream takes a file descriptor.',
    reloadable: true,
    sharedOverWorkers: true,
  },
  streamsPerKeyMax: {
    kind: integer('N', { min: 1, max: 100_000 }),
    fallback: '100',
    description:
      'Maximum number of concurrent streams of one key, over all processes of a node. Further streams get 429. Each node of a cluster counts its own.',
    reloadable: true,
  },
  streamHeartbeatMs: {
    kind: integer('MS', { min: 1_000, max: 300_000 }),
    fallback: '15000',
    description:
      'Maximum time without data on a stream, in milliseconds. Then the service sends a comment, so that no proxy closes the connection.',
    reloadable: true,
  },
  streamStallMs: {
    kind: integer('MS', { min: 1_000, max: 600_000 }),
    fallback: '30000',
    description:
      'Maximum time for which a client may stop reading its stream, in milliseconds. Then the stream is closed.',
    reloadable: true,
  },
} as const satisfies SettingTable);
