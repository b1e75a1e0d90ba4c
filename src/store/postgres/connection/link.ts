import { backoffMs } from '../../../lib/time/backoff.ts';
import { StoreFault } from '../../contract/store-fault.ts';
import type { FindOptions, HostFinder } from './find-session.ts';
import { endsSession, isLostConnection, toPgFault } from '../session/pg-fault.ts';
import type { Session, Statement, StatementValue } from '../session/session.ts';

/** Pauses between attempts to connect. Statements in between are rejected at once. */
const backoff = { firstMs: 50, maxMs: 1_000 };

/** What a link needs from its surroundings. */
export interface LinkDeps {
  readonly hosts: HostFinder;
  /** Milliseconds since an arbitrary instant. */
  readonly monotonic: () => number;
  /** Numbers from 0 (inclusive) to 1 (exclusive). */
  readonly random: () => number;
}

/** A statement, and its values for one attempt. */
export interface Sent {
  readonly statement: Statement;
  readonly values: () => readonly StatementValue[];
}

/**
 * A connection that is opened when it is first used, and again after it was lost. While the database cannot
 * be reached, a statement is rejected at once, except that one statement in each pause tries to connect.
 */
export class Link implements AsyncDisposable {
  readonly #deps: LinkDeps;
  readonly #options: FindOptions;
  #session: Session | undefined;
  #opening: Promise<Session> | undefined;
  #failures = 0;
  #retryAt = -Infinity;
  #lastFault: unknown;
  #isDisposed = false;

  /** @param session the first one, if it is open already. It has these options. */
  constructor(deps: LinkDeps, options: FindOptions, session?: Session) {
    this.#deps = deps;
    this.#options = options;
    this.#session = session;
  }

  /** The place, for people. */
  get where(): string {
    return this.#deps.hosts.target.name;
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
      return await this.#sendOnce<Row>(sent, before);
    } catch (error) {
      if (!isLostConnection(error)) throw toPgFault(error, this.where);
    }
    try {
      return await this.#sendOnce<Row>(sent, before);
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
    if (this.#opening === undefined && this.#deps.monotonic() < this.#retryAt) {
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

  async [Symbol.asyncDispose](): Promise<void> {
    this.#isDisposed = true;
    const session = await this.#opening?.catch(() => undefined);
    await session?.close();
    await this.#session?.close();
  }

  async #open(): Promise<Session> {
    try {
      const session = await this.#deps.hosts.open(this.#options);
      this.#session = session;
      this.#failures = 0;
      return session;
    } catch (fault) {
      this.#failures += 1;
      this.#lastFault = fault;
      const pauseMs = backoffMs(this.#failures, backoff, this.#deps.random);
      this.#retryAt = this.#deps.monotonic() + pauseMs;
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
