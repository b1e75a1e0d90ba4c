import { backoffMs } from '../../../lib/time/backoff.ts';
import { SerialQueue } from '../../../lib/time/serial-queue.ts';
import { StoreFault } from '../../contract/store-fault.ts';
import { endsSession, isLostConnection, toPgFault } from '../session/pg-fault.ts';
import type { Session, Statement, StatementValue } from '../session/session.ts';
import type { FindOptions, HostFinder } from './find-session.ts';

/** Pauses between attempts to connect. Statements in between are rejected at once. */
const backoff = { firstMs: 50, maxMs: 1_000 };

/** The channel of the notifications of a schema. */
export function channelOf(schema: string): string {
  return `pizarra ${schema}`;
}

/** A statement, and its values for one attempt. */
interface Sent {
  readonly statement: Statement;
  readonly values: () => readonly StatementValue[];
}

/**
 * A connection that is opened when it is first used, and again after it was lost. While the database cannot
 * be reached, a statement is rejected at once, except that one statement in each pause tries to connect.
 */
export class ReconnectingSession implements AsyncDisposable {
  readonly hosts: HostFinder;
  readonly #options: FindOptions;
  #session: Session | undefined;
  #opening: Promise<Session> | undefined;
  #failures = 0;
  #retryAt = -Infinity;
  #lastFault: unknown;
  #isDisposed = false;

  /** @param session the first one, if it is open already. It has these options. */
  constructor(hosts: HostFinder, options: FindOptions, session?: Session) {
    this.hosts = hosts;
    this.#options = options;
    this.#session = session;
  }

  /** The place, for people. */
  get where(): string {
    return this.hosts.target.name;
  }

  /** The schema of the place. It is the search path of every session. */
  get schema(): string {
    return this.hosts.target.schema;
  }

  /** The channel of the notifications of the schema, whose name is short enough for it. */
  get channel(): string {
    return channelOf(this.schema);
  }

  /**
   * Runs a statement that may be run twice: when the connection is lost meanwhile, it is sent again.
   *
   * @throws StoreFault
   */
  query<Row extends readonly unknown[]>(
    statement: Statement,
    values: readonly StatementValue[] = [],
  ): Promise<readonly Row[]> {
    return this.send<Row>({ statement, values: () => values });
  }

  /**
   * As {@link query}, with values that are computed for each attempt.
   *
   * @param before a statement that is sent immediately before it. Its rows are not returned.
   */
  async send<Row extends readonly unknown[]>(sent: Sent, before?: Sent): Promise<readonly Row[]> {
    try {
      return await this.#sendOnce<Row>(sent, before).catch((error: unknown) => {
        if (isLostConnection(error)) return this.#sendOnce<Row>(sent, before);
        throw error;
      });
    } catch (error) {
      throw toPgFault(error, this.where);
    }
  }

  /**
   * The session, which is opened if there is none.
   *
   * @throws StoreFault `unavailable` or `absent`.
   */
  async session(): Promise<Session> {
    if (this.#session?.isOpen === true) return this.#session;
    if (this.#isDisposed) throw new StoreFault('unavailable', `${this.where} was closed`);
    if (this.#opening === undefined && this.hosts.monotonic() < this.#retryAt) {
      throw this.#lastFault;
    }
    this.#opening ??= this.#open().finally(() => {
      this.#opening = undefined;
    });
    return this.#opening;
  }

  /**
   * Closes the socket at once if the server has not responded to a statement for so long. The statements are
   * sent again on another connection.
   */
  destroyIfSilent(forMs: number): void {
    if ((this.#session?.silentMs ?? 0) >= forMs) this.#session?.destroy();
  }

  /** Hands the open session over to the caller, and ends without it. Undefined when no session is open. */
  release(): Session | undefined {
    const session = this.#session?.isOpen === true ? this.#session : undefined;
    this.#session = undefined;
    void this[Symbol.asyncDispose]();
    return session;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#isDisposed = true;
    const opening = await this.#opening?.catch(() => undefined);
    await Promise.all([opening?.close(), this.#session?.close()]);
  }

  async #open(): Promise<Session> {
    try {
      const session = await this.hosts.open(this.#options);
      this.#session = session;
      this.#failures = 0;
      return session;
    } catch (fault) {
      this.#failures += 1;
      this.#lastFault = fault;
      const pauseMs = backoffMs(this.#failures, backoff, this.hosts.random);
      this.#retryAt = this.hosts.monotonic() + pauseMs;
      throw fault;
    }
  }

  async #sendOnce<Row extends readonly unknown[]>(
    sent: Sent,
    before: Sent | undefined,
  ): Promise<readonly Row[]> {
    const session = await this.session();
    try {
      const values = sent.values();
      // Both are under way at once. The server runs them in this order.
      const first =
        before === undefined ? undefined : session.query(before.statement, before.values());
      const [rows] = await Promise.all([session.query<Row>(sent.statement, values), first]);
      return rows;
    } catch (error) {
      // The statements behind it fail too, and are sent again on another connection.
      if (endsSession(error)) session.destroy();
      throw error;
    }
  }
}

/** Time after which an unused connection is closed, in milliseconds. */
const idleMs = 10_000;

/** The statement that is sent together with COMMIT. */
interface LastStatement {
  readonly statement: Statement;
  readonly values: readonly StatementValue[];
}

/** What a transaction does. */
type Work<T> = (
  session: Session,
  last: (statement: Statement, values: readonly StatementValue[]) => void,
) => Promise<T>;

/**
 * Runs transactions of several statements, one after another, on a connection of their own. The connection
 * is closed when it has not been used for some seconds.
 */
export class Transactions implements AsyncDisposable {
  readonly #connection: ReconnectingSession;
  readonly #queue = new SerialQueue();
  #idle: NodeJS.Timeout | undefined;

  constructor(connection: ReconnectingSession) {
    this.#connection = connection;
  }

  /**
   * Runs `work` between BEGIN and COMMIT. When `work` rejects, nothing is stored. A statement that `work` gives
   * to `last` is sent together with the COMMIT. So a process that is suspended does not keep its locks.
   *
   * @throws StoreFault, or what `work` has thrown.
   */
  run<T>(work: Work<T>): Promise<T> {
    return this.#queue.run(() => this.#run(work));
  }

  /** Waits for all transactions, then closes the connection. */
  async [Symbol.asyncDispose](): Promise<void> {
    await this.#queue.ended();
    clearTimeout(this.#idle);
    await this.#connection[Symbol.asyncDispose]();
  }

  async #run<T>(work: Work<T>): Promise<T> {
    clearTimeout(this.#idle);
    const session = await this.#begin();
    try {
      const lasts: LastStatement[] = [];
      const result = await work(session, (statement, values) => lasts.push({ statement, values }));
      const sent = lasts.map(({ statement, values }) => session.query(statement, values));
      // After a statement that failed, COMMIT rolls back.
      await Promise.all([...sent, session.query({ text: 'COMMIT' })]);
      return result;
    } catch (error) {
      await this.#rollBack(session, error);
      throw toPgFault(error, this.#connection.where);
    } finally {
      this.#idle = setTimeout(() => void session.close(), idleMs).unref();
    }
  }

  /** The connection may have been lost while it was not used. Then another one is opened. */
  async #begin(): Promise<Session> {
    const begin = async (): Promise<Session> => {
      const session = await this.#connection.session();
      try {
        await session.query({ text: 'BEGIN' });
        return session;
      } catch (error) {
        session.destroy();
        throw toPgFault(error, this.#connection.where);
      }
    };
    return begin().catch(begin);
  }

  async #rollBack(session: Session, error: unknown): Promise<void> {
    // A session that cannot roll back is closed, and the server rolls back.
    if (endsSession(error)) return session.destroy();
    await session.query({ text: 'ROLLBACK' }).catch(() => session.destroy());
  }
}
