/**
 * Runs the Apps Script code of `docs/pizarra.gs` in a thread, with the services of Google that it uses. They are
 * synchronous, so the thread blocks while the main thread makes the real request.
 */
import { createHash } from 'node:crypto';
import { createContext, runInContext } from 'node:vm';
import {
  parentPort,
  receiveMessageOnPort,
  workerData,
  type MessagePort,
} from 'node:worker_threads';

interface Start {
  readonly code: string;
  readonly properties: Readonly<Record<string, string>>;
  readonly requests: MessagePort;
  /** Becomes 1 when the response of the pending request is in the port. */
  readonly answered: Int32Array;
}

/** A response that the main thread got. */
export interface FetchedAnswer {
  readonly status: number;
  readonly body: string;
}

/** The limits of Google: of an address, of a key and of a value of the cache. */
const [urlMax, cacheKeyMax, cacheValueMax] = [2_082, 250, 100_000];

const { code, properties, requests, answered } = workerData as Start;
const cache = new Map<string, string>();
const cells = new Map<string, unknown>();
const triggers: { getHandlerFunction(): string }[] = [];

function fetchNow(url: string, options: unknown): unknown {
  if (url.length > urlMax) throw new Error(`Limit Exceeded: URLFetch URL Length: ${url.length}`);
  Atomics.store(answered, 0, 0);
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread, not a window
  requests.postMessage({ url, options });
  Atomics.wait(answered, 0, 0);
  const received = receiveMessageOnPort(requests);
  if (received === undefined) throw new Error('the main thread sent no response');
  const { status, body } = received.message as FetchedAnswer;
  return { getResponseCode: () => status, getContentText: () => body };
}

function put(key: string, value: unknown, seconds: unknown): void {
  if (key.length > cacheKeyMax) throw new Error('Argument too large: key');
  if (typeof value !== 'string' || value.length > cacheValueMax)
    throw new Error('Argument too large: value');
  if (typeof seconds !== 'number') throw new Error('Invalid argument: seconds');
  cache.set(key, value);
}

const google = {
  UrlFetchApp: { fetch: fetchNow },
  PropertiesService: {
    getScriptProperties: () => ({ getProperty: (name: string) => properties[name] ?? null }),
  },
  CacheService: {
    getScriptCache: () => ({
      get: (key: string) => cache.get(key) ?? null,
      getAll: (keys: readonly string[]) =>
        Object.fromEntries([...cache].filter(([key]) => keys.includes(key))),
      put,
      putAll: (values: Record<string, string>, seconds: number) => {
        for (const [key, value] of Object.entries(values)) put(key, value, seconds);
      },
    }),
  },
  Utilities: {
    DigestAlgorithm: { SHA_256: 'sha256' },
    computeDigest: (name: string, text: string) => [...createHash(name).update(text).digest()],
    base64Encode: (bytes: readonly number[]) => Buffer.from(bytes).toString('base64'),
    formatDate: (date: Date, timeZone: string, format: string) => {
      if (format !== 'yyyy-MM-dd') throw new Error(`Invalid format: ${format}`);
      const instant = Temporal.Instant.fromEpochMilliseconds(date.getTime());
      return instant.toZonedDateTimeISO(timeZone).toPlainDate().toString();
    },
  },
  SpreadsheetApp: {
    getActive: () => ({
      getSpreadsheetTimeZone: () => 'America/Argentina/Buenos_Aires',
      getSheetByName: () => null,
      insertSheet: () => ({
        getRange: (cell: string) => ({ setValue: (value: unknown) => cells.set(cell, value) }),
      }),
    }),
  },
  ScriptApp: {
    getProjectTriggers: () => triggers,
    newTrigger: (name: string) => ({
      timeBased: () => ({
        everyMinutes: (_minutes: number) => ({
          create: () => triggers.push({ getHandlerFunction: () => name }),
        }),
      }),
    }),
  },
};

const context = createContext({ ...google, Date });
runInContext(code, context);

parentPort?.on('message', ({ name, args }: { name: string; args: readonly unknown[] }) => {
  Object.assign(context, { args });
  const value: unknown = runInContext(`${name}(...args)`, context);
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread, not a window
  parentPort?.postMessage({ value, cells: [...cells.keys()], triggers: triggers.length });
});
