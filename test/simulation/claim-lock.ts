import type { Agenda } from './tools/agenda.ts';

/** A statement that waits longer than this for a lock or for the disk is cancelled. */
export const statementLimitMs = 1_000;

/** A transaction that locks the row of the claim, or would do so if the guard were on. */
export interface Transaction {
  isOver: boolean;
  /** It waits for further bytes of its client. */
  isIdle: boolean;
  /** Called once, when it has the lock. */
  readonly locked: () => void;
  /** Called once, when it ends without a result. */
  readonly failed: () => void;
}

/** The lock of the row of the claim. Transactions get it in the order in which they ask. */
export class ClaimLock {
  #owner: Transaction | undefined;
  #queue: Transaction[] = [];
  #losses = 0;
  readonly #agenda: Agenda;
  readonly #receive: (event: () => void) => void;

  /** @param receive runs an event of the server, later if the server is frozen. */
  constructor(agenda: Agenda, receive: (event: () => void) => void) {
    this.#agenda = agenda;
    this.#receive = receive;
  }

  get owner(): Transaction | undefined {
    return this.#owner;
  }

  acquire(transaction: Transaction): void {
    if (this.#owner === undefined) {
      this.#owner = transaction;
      transaction.locked();
      return;
    }
    this.#queue.push(transaction);
    this.#agenda.after(statementLimitMs, () => {
      const at = this.#queue.indexOf(transaction);
      if (at === -1) return;
      this.#queue.splice(at, 1);
      transaction.failed();
    });
  }

  /** The transaction is over. */
  release(transaction: Transaction): void {
    transaction.isOver = true;
    if (this.#owner !== transaction) return;
    this.#owner = this.#queue.shift();
    this.#owner?.locked();
  }

  /** Ends a transaction without a result. */
  end(transaction: Transaction): void {
    if (transaction.isOver) return;
    this.release(transaction);
    transaction.failed();
  }

  /** Calls `commit` after the time that the transaction needs, unless it or the database has ended. */
  work(transaction: Transaction, forMs: number, commit: () => void): void {
    const losses = this.#losses;
    this.#agenda.after(forMs, () => {
      this.#receive(() => {
        if (transaction.isOver || losses !== this.#losses) return;
        commit();
        this.release(transaction);
      });
    });
  }

  /** The database crashes: no transaction is under way any more. */
  clear(): void {
    this.#losses += 1;
    this.#owner = undefined;
    this.#queue = [];
  }
}
