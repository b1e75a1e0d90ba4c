import type { Lease, LeaseAction } from '../../../cluster/lease.ts';
import { Driver } from '../../../lib/time/driver.ts';
import type { WriterClaim } from '../../contract/place.ts';
import { StoreFault } from '../../contract/store-fault.ts';
import type { ReconnectingSession } from '../connection/reconnecting-session.ts';
import { leaseSql, leaseTable, type Fence } from './lease-sql.ts';
import { release } from './obtain-claim.ts';
import type { ReservedSessions } from './reserved-sessions.ts';

/**
 * The claim of this process. It renews its lease until it is released, and is lost when the database says so,
 * or when the lease may have ended by this process's own clock.
 */
export class PostgresClaim implements WriterClaim {
  readonly fence: Fence;
  /** Sessions for the store that this process opens with the claim. */
  readonly reserved: ReservedSessions;
  readonly #lease: Lease;
  readonly #driver: Driver<LeaseAction>;
  readonly #connection: ReconnectingSession;
  readonly #lost = new AbortController();
  #isReleased = false;
  #hasGivenUp = false;

  /**
   * @param own.connection a connection for the lease alone. The claim closes it.
   * @param own.reserved the claim closes what is not taken.
   */
  constructor(own: {
    readonly reserved: ReservedSessions;
    readonly lease: Lease;
    readonly connection: ReconnectingSession;
  }) {
    this.#lease = own.lease;
    this.#connection = own.connection;
    this.reserved = own.reserved;
    this.fence = this.#makeFence();
    this.#driver = new Driver(this.#lease, {
      monotonic: this.#connection.hosts.monotonic,
      act: (action, now) => {
        if (action === 'stop') this.#lose();
        if (action === 'renew') void this.#renew(now);
        if (action === 'abandon') this.#connection.destroyIfSilent(0);
      },
    });
    this.#driver.drive();
  }

  /** The schema whose claim it is. */
  get schema(): string {
    return this.#connection.schema;
  }

  get token(): number {
    return this.#lease.token;
  }

  get lost(): AbortSignal {
    return this.#lost.signal;
  }

  /**
   * Releases the claim, so that a stand-by gets it at once. A lost claim is not released, except one that this
   * process has given up by itself.
   */
  async [Symbol.asyncDispose](): Promise<void> {
    if (this.#isReleased) return;
    this.#isReleased = true;
    this.#driver.stop();
    if (!this.#lost.signal.aborted || this.#hasGivenUp) {
      await release(this.#connection, this.token);
    }
    await Promise.all([
      this.#connection[Symbol.asyncDispose](),
      this.reserved[Symbol.asyncDispose](),
    ]);
  }

  /**
   * The token must be the current one. Each commit has a number that rises, and is refused when a later one was
   * stored: an attempt whose connection was given up may still arrive.
   */
  #makeFence(): Fence {
    let commits = 0;
    return {
      sql: `UPDATE ${leaseTable(this.schema)} SET commits = $2::bigint
        WHERE token = $1::bigint AND commits < $2::bigint RETURNING true AS ok`,
      values: () => {
        if (this.#hasGivenUp) throw this.#lost.signal.reason;
        if (!this.#lease.mayWrite(this.#connection.hosts.monotonic()) || this.#isReleased) {
          this.#lose();
          throw this.#fault();
        }
        commits += 1;
        return [this.token, commits];
      },
      refused: () => {
        this.#lease.fenced();
        this.#lose();
        return new StoreFault(
          'fenced',
          `${this.#connection.where}: another writer has taken over, nothing was stored`,
        );
      },
    };
  }

  async #renew(sentAt: number): Promise<void> {
    const { clock } = this.#connection.hosts;
    const read = clock.ask();
    try {
      const [row] = await this.#connection.query<readonly [number]>(leaseSql.renew, [this.token]);
      if (row === undefined) {
        this.#lease.fenced();
      } else {
        this.#lease.renewed(sentAt);
        read(row[0]);
        if (clock.isOff) return this.#giveUp(clock.fault(this.#connection.where));
      }
    } catch {
      this.#lease.renewalFailed(sentAt, this.#connection.hosts.monotonic());
    }
    this.#driver.drive();
  }

  #lose(): void {
    this.#driver.stop();
    if (!this.#lost.signal.aborted && !this.#isReleased) this.#lost.abort(this.#fault());
  }

  /** This process must not write any more, although the database still lends it the claim. */
  #giveUp(fault: StoreFault): void {
    this.#driver.stop();
    if (this.#lost.signal.aborted || this.#isReleased) return;
    this.#hasGivenUp = true;
    this.#lost.abort(fault);
  }

  #fault(): StoreFault {
    const reason =
      this.#lease.lostBy === 'fenced'
        ? 'another writer has taken over'
        : 'the claim could not be renewed in time';
    return new StoreFault(
      'fenced',
      `${this.#connection.where}: ${reason}. This process no longer writes`,
    );
  }
}
