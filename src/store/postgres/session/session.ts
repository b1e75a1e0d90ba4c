import {
  Client,
  types,
  type Connection,
  type Notification,
  type QueryArrayConfig,
  type CustomTypesConfig,
} from 'pg';

import { toPgFault } from './pg-fault.ts';
import {
  hostText,
  tlsOptions,
  type PostgresHost,
  type PostgresTarget,
} from '../target/postgres-url.ts';

/** A statement. With a name, each session prepares it once. */
export interface Statement {
  readonly name?: string;
  readonly text: string;
}

/** A value of a statement. A buffer is sent as it is: as `bytea`, or as an array in the binary format. */
export type StatementValue = string | number | bigint | boolean | null | Uint8Array;

/** Options of {@link openSession}. The limits are those of `connection/purposes.ts`. */
interface SessionOptions {
  readonly target: PostgresTarget;
  readonly host: PostgresHost;
  readonly password: string | undefined;
  /** Shown to the database's administrator, in `pg_stat_activity`. */
  readonly applicationName: string;
  readonly isReadOnly: boolean;
  /** Maximum time to connect, in milliseconds. */
  readonly connectMs: number;
  readonly statementMs: number;
  readonly lockMs: number;
  /** Milliseconds since an arbitrary instant. */
  readonly monotonic: () => number;
}

/** The socket of a client is not part of its types. It is destroyed, because ending a dead one would wait. */
type PipelinedClient = Client & {
  readonly connection: Connection;
  /** The process of the server, as it was named when the session began. */
  readonly processID?: number | null;
};

/** How much longer than the server this process waits for the end of a statement, in milliseconds. */
const graceMs = 500;

/**
 * Maximum time between two statements of a transaction, in milliseconds. Then the server ends the session, so a
 * process that is frozen within a transaction does not keep its locks.
 */
const idleInTransactionMs = 60_000;

/**
 * One connection to one server. Statements are pipelined: each is sent at once, and they run in the order of
 * the calls. A session that has ended stays so; {@link ReconnectingSession} opens another one.
 */
export class Session {
  readonly #client: PipelinedClient;
  readonly #statementMs: number;
  readonly #where: string;
  readonly #monotonic: () => number;
  readonly #ended = Promise.withResolvers<void>();
  #isOpen = true;
  /** Number of statements under way, and since when there has been at least one without any response. */
  #pending = 0;
  #silentSince = 0;

  constructor(
    client: PipelinedClient,
    own: Pick<SessionOptions, 'statementMs' | 'monotonic'> & { readonly where: string },
  ) {
    const { statementMs, monotonic, where } = own;
    this.#client = client;
    this.#statementMs = statementMs;
    this.#monotonic = monotonic;
    this.#where = where;
    // Pending statements get the error too. A connection that fails while idle must not end the process.
    client.on('error', () => this.destroy());
    client.once('end', () => {
      this.#isOpen = false;
      this.#ended.resolve();
    });
  }

  get isOpen(): boolean {
    return this.#isOpen;
  }

  /**
   * The process of the server that runs the next statement. Behind a pooler in transaction mode, the statements of
   * one session run in several processes.
   *
   * @throws the error of the driver.
   */
  async serverProcess(): Promise<number> {
    const rows = await this.query<readonly [number]>({ text: 'SELECT pg_backend_pid()' });
    return rows[0]?.[0] ?? 0;
  }

  /** Whether a pooler is between this process and the server. It names another process than the server does. */
  async isPooled(): Promise<boolean> {
    return (await this.serverProcess()) !== this.#client.processID;
  }

  /** Resolves when the connection has ended, for whatever reason. */
  get ended(): Promise<void> {
    return this.#ended.promise;
  }

  /** Calls `onNotification` with the payload of each notification that the session listens to. */
  onNotification(onNotification: (payload: string) => void): void {
    this.#client.on('notification', ({ payload = '' }: Notification) => onNotification(payload));
  }

  /**
   * Runs one statement. Rows are arrays of columns.
   *
   * @throws the error of the driver. {@link toPgFault} converts it.
   */
  async query<Row extends readonly unknown[]>(
    { name, text }: Statement,
    values: readonly StatementValue[] = [],
    { limitMs = this.#statementMs }: { readonly limitMs?: number } = {},
  ): Promise<readonly Row[]> {
    const config: QueryArrayConfig = {
      text,
      rowMode: 'array',
      values: [...values],
      types: resultTypes,
      ...(name === undefined ? {} : { name }),
    };
    const timer =
      limitMs === 0 ? undefined : setTimeout(() => this.#giveUp(limitMs), limitMs + graceMs);
    if (this.#pending === 0) this.#silentSince = this.#monotonic();
    this.#pending += 1;
    try {
      const { rows } = await this.#client.query(config);
      return rows as unknown as readonly Row[];
    } finally {
      clearTimeout(timer);
      this.#pending -= 1;
      this.#silentSince = this.#monotonic();
    }
  }

  /** How long the server has not responded to a statement under way, in milliseconds. */
  get silentMs(): number {
    return this.#pending === 0 ? 0 : this.#monotonic() - this.#silentSince;
  }

  /**
   * Runs several statements without values, at once.
   *
   * @throws the error of the driver.
   */
  async script(text: string): Promise<void> {
    await this.#client.query(text);
  }

  /** Closes the connection after the statements under way, and does not wait for a dead server. */
  async close(): Promise<void> {
    if (!this.#isOpen) return;
    const timer = setTimeout(() => this.destroy(), graceMs);
    await this.#client.end();
    clearTimeout(timer);
  }

  /** Closes the socket at once. Statements under way are rejected. */
  destroy(): void {
    this.#isOpen = false;
    this.#client.connection.stream.destroy();
  }

  #giveUp(limitMs: number): void {
    this.#client.connection.stream.destroy(
      new Error(`no response from ${this.#where} within ${limitMs + graceMs} ms`),
    );
  }
}

/**
 * Connects to one host, and sets the session up.
 *
 * @throws StoreFault `unavailable` or `absent`.
 */
export async function openSession(options: SessionOptions): Promise<Session> {
  const { target, host, password, connectMs, statementMs, applicationName, monotonic } = options;
  const where = `PostgreSQL at ${hostText(host)}, database ${target.database}`;
  const client: Client = new Client({
    host: host.host,
    port: host.port,
    user: target.user,
    database: target.database,
    // Without a function, the driver would read the environment.
    password: () => password ?? '',
    ssl: tlsOptions(target.tls),
    application_name: applicationName,
    connectionTimeoutMillis: connectMs,
    keepAlive: true,
    keepAliveInitialDelayMillis: 1_000,
    pipeline: true,
  });
  const session = new Session(client, { statementMs, monotonic, where });
  try {
    await client.connect();
    await setUp(session, options);
    return session;
  } catch (error) {
    session.destroy();
    throw toPgFault(error, where);
  }
}

/** The settings that every statement relies on, whatever the defaults of the user and the database are. */
async function setUp(
  session: Session,
  { target, isReadOnly, connectMs, statementMs, lockMs }: SessionOptions,
): Promise<void> {
  const settings: Readonly<Record<string, string>> = {
    search_path: quoted(target.schema),
    statement_timeout: String(statementMs),
    lock_timeout: String(lockMs),
    idle_in_transaction_session_timeout: String(idleInTransactionMs),
    // Doubles are exact in text.
    extra_float_digits: '1',
    default_transaction_isolation: 'read committed',
    // Reads are repeated with other values, and planning a pull anew takes longer than the pull.
    ...(isReadOnly
      ? { default_transaction_read_only: 'on', plan_cache_mode: 'force_generic_plan' }
      : {}),
    // Each short statement would cost the time of compiling it.
    jit: 'off',
  };
  const calls = Object.keys(settings).map((name, at) => `set_config('${name}', $${at + 1}, false)`);
  // An acknowledged write survives a power failure of the server, whatever the default is.
  const isSynced = `set_config('synchronous_commit',
    CASE current_setting('synchronous_commit') WHEN 'off' THEN 'on' ELSE current_setting('synchronous_commit') END, false)`;
  await session.query(
    { text: `SELECT ${[...calls, isSynced].join(', ')}` },
    Object.values(settings),
    { limitMs: connectMs },
  );
}

/** Object id of the type `bigint`. */
const int8 = 20;

/** `bigint` columns contain versions, revisions and instants, all below 2^53. */
export const resultTypes: CustomTypesConfig = {
  getTypeParser: ((oid: number) =>
    oid === int8 ? Number : types.getTypeParser(oid, 'text')) as CustomTypesConfig['getTypeParser'],
};

/** A name as SQL quotes it. */
export function quoted(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}
