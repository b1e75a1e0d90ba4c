import assert from 'node:assert/strict';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';

import { createKey } from '../../src/node/keys/keys.ts';
import type { KeyScope } from '../../src/domain/access/api-key.ts';
import {
  runPizarra,
  startPizarra,
  temporaryDirectory,
  type Finished,
  type RunningService,
} from '../support/program/program.ts';
import { isInPostgres, storeAt } from '../support/program/test-store.ts';
import { openStream, type EventStream } from '../support/http/event-stream.ts';
import { until } from '../support/wait.ts';
import { writeFlatUniverse } from './flat-universe.ts';

/** One update as a source pushes it. */
export interface Pushed {
  readonly ticker: string;
  readonly at: string;
  readonly last: number;
}

/** The prices of a session or of a bar, under the names of the API. */
export interface Prices {
  readonly apertura: number;
  readonly minimo: number;
  readonly maximo: number;
  readonly ultimo: number;
}

export function pricesOf({ apertura, minimo, maximo, ultimo }: Prices): Prices {
  return { apertura, minimo, maximo, ultimo };
}

/** One quote as a client reads it. */
export interface ReadQuote extends Prices {
  readonly especie: string;
  readonly fecha: string;
  readonly hora: string;
}

/** A response, read to its end. */
export interface Answer {
  readonly status: number;
  readonly retryAfter: string | null;
  readonly body: string;
}

/** The keys of the listeners. */
interface Keys {
  readonly read: string;
  /** The key of another client. */
  readonly other: string;
  readonly ingest: string;
  readonly metrics: string;
}

/** The lanes push one session for each batch, so most of them are of the past. */
const ofThePast = ['--first-price-age-days', '100000'];

/**
 * A data directory with its own keys and universe. A test can start the real program on it several times.
 * Disposing it removes everything.
 */
export class Installation implements AsyncDisposable {
  readonly directory: string;
  readonly data: string;
  readonly keys: Keys;
  readonly #below: AsyncDisposable;

  private constructor(own: {
    readonly directory: string;
    readonly data: string;
    readonly keys: Keys;
    readonly below: AsyncDisposable;
  }) {
    this.directory = own.directory;
    this.data = own.data;
    this.keys = own.keys;
    this.#below = own.below;
  }

  /**
   * Creates an installation.
   *
   * @param prepare is called with the data directory while it is empty. Its result is disposed before the
   *   directory is removed.
   */
  static async make(prepare?: (data: string) => Promise<AsyncDisposable>): Promise<Installation> {
    await using cleanUp = new AsyncDisposableStack();
    const { path: directory } = cleanUp.use(await temporaryDirectory());
    const data = join(directory, 'data');
    await mkdir(data);
    if (prepare !== undefined) cleanUp.use(await prepare(data));
    await writeFlatUniverse(join(directory, 'universe'));
    const keys = {
      read: await makeKey(data, 'read'),
      other: await makeKey(data, 'read'),
      ingest: await makeKey(data, 'ingest'),
      metrics: await makeKey(data, 'metrics'),
    };
    return new Installation({ directory, data, keys, below: cleanUp.move() });
  }

  /** The flags that make the program use this installation. */
  get args(): readonly string[] {
    return ['--store', this.data, '--universe', join(this.directory, 'universe')];
  }

  /** Starts the service. Resolves when it serves and writes. */
  async start({
    args = [],
    onSpawn,
  }: {
    readonly args?: readonly string[];
    readonly onSpawn?: Parameters<typeof startPizarra>[1];
  } = {}): Promise<FaultyService> {
    const program = await startPizarra([...this.args, ...ofThePast, ...args], onSpawn);
    // A killed writer of a database keeps its claim for a moment.
    if (isInPostgres) await program.logged('"msg":"this node writes"');
    return new FaultyService(program, this.keys);
  }

  /** Starts the service, which must refuse to start, and returns its output. */
  async startInVain(): Promise<Finished> {
    const args = ['serve', '--port', '0', '--private-port', '0', '--log-format', 'json'];
    return runPizarra([...args, ...this.args, ...ofThePast]);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#below[Symbol.asyncDispose]();
  }
}

async function makeKey(data: string, scope: KeyScope): Promise<string> {
  const { key } = await createKey(storeAt(data), { name: scope, scope, expiresAt: undefined });
  return key;
}

/** A running service, with the actions of a source, a client and an operator. */
export class FaultyService implements AsyncDisposable {
  readonly program: RunningService;
  readonly #keys: Keys;

  constructor(program: RunningService, keys: Keys) {
    this.program = program;
    this.#keys = keys;
  }

  get pid(): number {
    return this.program.child.pid ?? assert.fail('the service has no process');
  }

  /** Pushes updates. Rejects when the connection breaks before the response is complete. */
  push(updates: readonly Pushed[]): Promise<Answer> {
    return ask(`${this.program.privateUrl}/updates`, this.#keys.ingest, {
      method: 'POST',
      body: JSON.stringify(updates),
    });
  }

  /** Pushes a body that is generated while it is sent. */
  pushStream(body: AsyncIterable<Uint8Array>): Promise<Answer> {
    return ask(`${this.program.privateUrl}/updates`, this.#keys.ingest, {
      method: 'POST',
      body: ReadableStream.from(body),
      duplex: 'half',
    });
  }

  get(path: string): Promise<Answer> {
    return ask(this.program.url + path, this.#keys.read);
  }

  /** The quotes of the whole board. */
  async quotes(): Promise<ReadonlyMap<string, ReadQuote>> {
    const { status, body } = await this.get('/cotizaciones?panel=LID');
    assert.equal(status, 200, body);
    const quotes = JSON.parse(body) as readonly ReadQuote[];
    return new Map(quotes.map((quote) => [quote.especie, quote]));
  }

  /** All closes of one instrument, by date. */
  async closes(ticker: string): Promise<ReadonlyMap<string, number>> {
    const { status, body } = await this.get(
      `/historicos?especie=${ticker}&desde=1970-01-01&hasta=2100-01-01`,
    );
    assert.equal(status, 200, body);
    const rows = JSON.parse(body) as readonly ReadQuote[];
    return new Map(rows.map(({ fecha, ultimo }) => [fecha, ultimo]));
  }

  /** The bars of one instrument that are kept, by their start in epoch milliseconds. */
  async bars(ticker: string): Promise<ReadonlyMap<number, Prices>> {
    const { status, body } = await this.get(
      `/intradiarios?especie=${ticker}&desde=1970-01-01&hasta=2100-01-01&intervalo=1m&campos=instante`,
    );
    assert.equal(status, 200, body);
    const rows = JSON.parse(body) as readonly (Prices & { readonly instante: string })[];
    return new Map(rows.map((row) => [Date.parse(row.instante), pricesOf(row)]));
  }

  /** Opens a stream of the whole board, which continues after the event with an id. */
  stream(lastEventId: string): Promise<EventStream> {
    return openStream(`${this.program.url}/cotizaciones/stream?panel=LID`, {
      authorization: `Bearer ${this.#keys.read}`,
      'last-event-id': lastEventId,
    });
  }

  /** The value of a metric; 0 when it does not exist. `labels` are in the text format. */
  async metric(name: string, labels = ''): Promise<number> {
    const { body } = await ask(`${this.program.privateUrl}/metrics`, this.#keys.metrics);
    const line = body.split('\n').find((one) => one.startsWith(`${name}${labels} `));
    return Number(line?.split(' ').at(-1) ?? 0);
  }

  /** The response of the readiness check. */
  async readiness(): Promise<Answer> {
    return ask(`${this.program.privateUrl}/readyz`);
  }

  /** Waits until a condition is true. */
  async becomes(what: string, holds: () => Promise<boolean>): Promise<void> {
    await until(what, holds);
  }

  /** The log lines that contain a message. */
  logged(message: string): readonly string[] {
    return this.program
      .stderr()
      .split('\n')
      .filter((line) => line.includes(message));
  }

  /** Kills the process. */
  async kill(): Promise<void> {
    await this.program.stop('SIGKILL');
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.program[Symbol.asyncDispose]();
  }
}

async function ask(url: string, key?: string, init: RequestInit = {}): Promise<Answer> {
  const response = await fetch(url, {
    ...init,
    ...(key === undefined ? {} : { headers: { authorization: `Bearer ${key}` } }),
  });
  return {
    status: response.status,
    retryAfter: response.headers.get('retry-after'),
    body: await response.text(),
  };
}
