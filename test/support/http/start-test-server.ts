import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { issueKey } from '../../../src/auth/issue-key.ts';
import { KeyRing } from '../../../src/auth/key-ring.ts';
import { Board } from '../../../src/board/board.ts';
import type { DailyClose } from '../../../src/domain/history/daily-close.ts';
import type { Ticker } from '../../../src/domain/instruments/ticker.ts';
import { noActions } from '../../../src/domain/history/corporate-actions.ts';
import { noIndices } from '../../../src/domain/indices/index-series.ts';
import type { KeyScope } from '../../../src/domain/access/api-key.ts';
import {
  createPublicServer,
  type PublicServer,
  type PublicServerParts,
} from '../../../src/http/public-server.ts';
import type { Log } from '../../../src/lib/reports/log.ts';
import { HistoryRevisions } from '../../../src/store/contract/history-store.ts';
import type { ChangeStamp } from '../../../src/store/contract/history-store.ts';
import type { Store } from '../../../src/store/contract/store.ts';
import { assertContract, assertError, openapi } from './contract.ts';
import { sampleCloses, sampleQuotes, sampleUniverse } from '../market/sample-market.ts';
import { clockAt } from '../market/clock-at.ts';
import { closeOn } from '../market/close-on.ts';
import { openTestStore } from '../program/test-store.ts';
import { testStamp } from '../market/test-change.ts';

/** The current time in every test. */
export const testNow = Date.parse('2026-11-20T20:00:00Z');

/** A response that was already checked against the contract. */
export interface TestAnswer {
  readonly status: number;
  header(name: string): string | undefined;
  readonly body: string;
  json(): unknown;
}

/** A real server on a real socket, with a real store in its own directory. */
export interface TestServer extends AsyncDisposable {
  readonly port: number;
  /** A valid key. */
  readonly key: string;
  readonly server: PublicServer;
  readonly board: Board;
  readonly store: Store;
  readonly keyRing: KeyRing;
  /** A test that changes the history of the store publishes the change here. */
  readonly revisions: HistoryRevisions;
  /** The log lines so far, as objects with level and message. */
  readonly logged: readonly Readonly<Record<string, unknown>>[];
  /** Creates a key and adds it to the ring. */
  issue(key: { readonly scope?: KeyScope; readonly expiresAt?: number }): Promise<string>;
  revoke(key: string): Promise<void>;
  /**
   * Requests a path with its query, by default with the valid key, and checks the response against the
   * contract.
   */
  get(target: string, options?: RequestOptions): Promise<TestAnswer>;
  /** The rows of a response with status 200. */
  rows<Row>(target: string): Promise<readonly Row[]>;
  /** The text of a response with status 400. */
  refusal(target: string): Promise<string>;
  /** Stores closes of an instrument, whole or by their dates, and notes the change. */
  putCloses(
    ticker: string,
    closes: readonly DailyClose[] | Readonly<Record<string, number>>,
    stamp?: ChangeStamp,
  ): Promise<void>;
}

interface RequestOptions {
  readonly method?: string;
  /** Null sends no Authorization header. */
  readonly authorization?: string | null;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

/** Starts a server with the sample market. `parts` replaces or adds dependencies and settings. */
export async function startTestServer(parts: Partial<PublicServerParts> = {}): Promise<TestServer> {
  await using cleanUp = new AsyncDisposableStack();
  const directory = await mkdtemp(join(tmpdir(), 'pizarra-test-'));
  cleanUp.defer(() => rm(directory, { recursive: true, force: true }));
  const store = cleanUp.use(await openTestStore(directory));
  await store.history.transaction(async (transaction) => {
    for (const [ticker, closes] of sampleCloses) await transaction.put(ticker, closes);
  }, testStamp);
  const board = parts.board ?? sampleBoard();

  const keys = new TestKeys(store);
  const key = await keys.issue({});
  const { log, lines } = recordingLog();
  const revisions = new HistoryRevisions();
  const clock = clockAt(() => testNow);
  const given = {
    instance: 'test',
    board,
    history: store.history,
    versions: store,
    bars: store.bars,
    actions: () => noActions,
    indices: () => noIndices,
    revisions,
    keyRing: keys.ring,
    openapi: () => openapi,
    log,
    clock,
  };
  // No request is in transit when a test ends.
  const limits = { drainIdleMs: 0, ...parts.limits };
  const server = cleanUp.use(createPublicServer({ ...given, ...parts, limits }));
  const { port } = await server.listen({ host: '127.0.0.1', port: 0 });

  const { basePath = '' } = parts;
  const get = async (target: string, options: RequestOptions = {}): Promise<TestAnswer> => {
    const answer = await request(`http://127.0.0.1:${port}${target}`, `Bearer ${key}`, options);
    const path = target.split('?')[0] ?? '';
    if (path.startsWith(basePath)) {
      const named = path.slice(basePath.length);
      // With a key in the path, the responses are the same. Only paths that need no key are refused there.
      const keyed = named.replace(/^\/clave\/[^/]*/, '');
      if (keyed !== named && answer.status >= 400) assertError(answer, options.method);
      else assertContract(options.method ?? 'GET', keyed, answer);
    }
    return answer;
  };
  const running = cleanUp.move();
  return {
    port,
    key,
    server,
    board,
    store,
    keyRing: keys.ring,
    revisions,
    logged: lines,
    issue: (options) => keys.issue(options),
    revoke: (revoked) => keys.revoke(revoked),
    get,
    rows: async <Row>(target: string) => {
      const answer = await get(target);
      assert.equal(answer.status, 200, `${target}: ${answer.body}`);
      return answer.json() as readonly Row[];
    },
    refusal: async (target) => {
      const answer = await get(target);
      assert.equal(answer.status, 400, target);
      return (answer.json() as { readonly error: string }).error;
    },
    putCloses: async (ticker, closes, stamp = testStamp) => {
      const rows = Array.isArray(closes)
        ? (closes as readonly DailyClose[])
        : Object.entries(closes).map(([date, close]) => ({
            ...closeOn(date, close),
            volume: null,
          }));
      await store.history.transaction((one) => one.put(ticker as Ticker, rows), stamp);
      revisions.increase([ticker as Ticker]);
    },
    [Symbol.asyncDispose]: () => running.disposeAsync(),
  };
}

function sampleBoard(): Board {
  const board = new Board(sampleUniverse);
  board.adopt(sampleQuotes);
  return board;
}

async function request(
  url: string,
  ownAuthorization: string,
  { method = 'GET', authorization = ownAuthorization, headers = {}, body }: RequestOptions,
): Promise<TestAnswer> {
  const response = await fetch(url, {
    method,
    headers: { ...(authorization === null ? {} : { authorization }), ...headers },
    ...(body === undefined ? {} : { body }),
  });
  const text = await response.text();
  return {
    status: response.status,
    header: (name) => response.headers.get(name) ?? undefined,
    body: text,
    json: () => JSON.parse(text),
  };
}

class TestKeys {
  readonly ring = new KeyRing();
  readonly #store: Store;
  readonly #ids = new Map<string, string>();

  constructor(store: Store) {
    this.#store = store;
  }

  async issue({
    scope = 'read',
    expiresAt,
  }: {
    readonly scope?: KeyScope;
    readonly expiresAt?: number;
  }): Promise<string> {
    const made = issueKey({ name: 'test', scope, expiresAt }, { now: testNow, randomBytes });
    await this.#store.keys.insert(made.record, 'test');
    this.#ids.set(made.key, made.record.id);
    await this.#reload();
    return made.key;
  }

  async revoke(key: string): Promise<void> {
    const note = { who: 'test', at: testNow };
    await this.#store.keys.change(this.#ids.get(key) ?? '', { type: 'revoke' }, note);
    await this.#reload();
  }

  async #reload(): Promise<void> {
    this.ring.replace((await this.#store.keys.readAll()).keys);
  }
}

function recordingLog(): { log: Log; lines: Record<string, unknown>[] } {
  const lines: Record<string, unknown>[] = [];
  const record = (level: string) => (details: object, message: string) => {
    lines.push({ level, message, ...details });
  };
  const log = {
    debug: record('debug'),
    info: record('info'),
    warn: record('warn'),
    error: record('error'),
  };
  return { log, lines };
}
