import { Turns } from '../../../lib/time/turns.ts';
import { StoreFault } from '../../contract/store-fault.ts';
import type { Link } from './link.ts';
import { endsSession, toPgFault } from '../session/pg-fault.ts';
import type { Session, Statement, StatementValue } from '../session/session.ts';

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
  readonly #link: Link;
  readonly #turns = new Turns();
  #idle: NodeJS.Timeout | undefined;

  constructor(link: Link) {
    this.#link = link;
  }

  /**
   * Runs `work` between BEGIN and COMMIT. When `work` rejects, nothing is stored. A statement that `work` gives
   * to `last` is sent together with the COMMIT. So a process that is suspended does not keep its locks.
   *
   * @throws StoreFault, or what `work` has thrown.
   */
  run<T>(work: Work<T>): Promise<T> {
    return this.#turns.run(() => this.#run(work));
  }

  /** Waits for all transactions, then closes the connection. */
  async [Symbol.asyncDispose](): Promise<void> {
    await this.#turns.ended();
    clearTimeout(this.#idle);
    await this.#link[Symbol.asyncDispose]();
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
      throw toPgFault(error, this.#link.where);
    } finally {
      this.#idle = setTimeout(() => void session.close(), idleMs).unref();
    }
  }

  /** The connection may have been lost while it was not used. Then another one is opened. */
  async #begin(): Promise<Session> {
    for (const isLastTry of [false, true]) {
      const session = await this.#link.session();
      try {
        await session.query({ text: 'BEGIN' });
        return session;
      } catch (error) {
        session.destroy();
        if (isLastTry) throw toPgFault(error, this.#link.where);
      }
    }
    throw new StoreFault('unavailable', `cannot use ${this.#link.where}`);
  }

  async #rollBack(session: Session, error: unknown): Promise<void> {
    // A session that cannot roll back is closed, and the server rolls back.
    if (endsSession(error)) return session.destroy();
    await session.query({ text: 'ROLLBACK' }).catch(() => session.destroy());
  }
}
