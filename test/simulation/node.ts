import { Candidate } from '../../src/cluster/candidate.ts';
import { Lease } from '../../src/cluster/lease.ts';
import { claimTiming } from '../../src/cluster/timing.ts';
import type { ClaimResult, CommitResult, Database, Hint } from './database.ts';
import { FollowedTable } from './followed-table.ts';
import { Connection } from './link.ts';
import type { World } from './world.ts';
import { Group, readMarket, Writer } from './writer.ts';
import type { Market } from './writer.ts';

/**
 * One run of the program on one machine: a candidate, the writer that it may become, and the followers of
 * quotes and keys. `Candidate`, `Lease` and `Follower` are those of the service; engine, persist and the
 * driver of PostgreSQL are modelled. A crash ends the run; the next run of the machine is a new object.
 */
export class NodeRun {
  /** Unique over all runs. The database knows a holder by it. */
  readonly id: number;
  readonly machine: number;
  isAlive = true;
  readonly quotes: FollowedTable;
  readonly keys: FollowedTable;
  readonly #world: World;
  readonly #candidate: Candidate;
  #lease: Lease | undefined;
  #writer: Writer | undefined;
  #isStopping = false;
  #control = new Connection();
  #timerAt = Infinity;
  /** What arrived while the process was frozen. */
  #deferred: (() => void)[] | undefined;
  /** What a writer had not stored when it lost the claim. Empty unless the guard is off. */
  #left = new Group();

  constructor(world: World, id: number, machine: number) {
    this.#world = world;
    this.id = id;
    this.machine = machine;
    const random = (): number => world.random.below(1_024) / 1_024;
    this.#candidate = new Candidate(random);
    this.quotes = new FollowedTable(world, this, 'quotes', random);
    this.keys = new FollowedTable(world, this, 'keys', random);
  }

  get isFrozen(): boolean {
    return this.#deferred !== undefined;
  }

  /** Whether updates are accepted. */
  get isWriting(): boolean {
    return this.#writer !== undefined && !this.#isStopping && this.isAlive;
  }

  get token(): number | undefined {
    return this.#lease?.token;
  }

  /** Milliseconds of the monotonic clock of this machine. */
  get now(): number {
    return this.#world.clockOf(this.machine);
  }

  /** The clock by which the holder judges its lease. */
  get leaseNow(): number {
    return this.now + (this.#world.guards.monotonicLease ? 0 : this.#world.skewOf(this.machine));
  }

  start(): void {
    this.turn();
    this.quotes.turn();
    this.keys.turn();
  }

  crash(): void {
    this.isAlive = false;
  }

  freezeFor(pauseMs: number): void {
    this.freeze();
    this.#world.agenda.after(pauseMs, () => {
      this.thaw();
    });
  }

  freeze(): void {
    this.#deferred ??= [];
  }

  thaw(): void {
    const deferred = this.#deferred ?? [];
    this.#deferred = undefined;
    for (const event of deferred) this.happens(event);
  }

  /** Runs an event of this process: now, when it is no longer frozen, or never if the run has ended. */
  happens(event: () => void): void {
    if (!this.isAlive) return;
    if (this.#deferred === undefined) event();
    else this.#deferred.push(event);
  }

  /** Runs an event of this process after a pause by its own clock. */
  after(pauseMs: number, event: () => void): void {
    const trueMs = Math.max(1, Math.ceil(pauseMs / this.#world.rateOf(this.machine)));
    this.#world.agenda.after(trueMs, () => {
      this.happens(event);
    });
  }

  /** The connection that listens for hints was opened. */
  listensAgain(): void {
    this.quotes.hinted(undefined);
    this.#candidate.released(this.now);
    this.turn();
  }

  hinted(hint: Hint, version: number): void {
    if (hint === 'released') {
      this.#candidate.released(this.now);
      this.turn();
    } else {
      this[hint].hinted(version);
    }
  }

  /** A client pushes an update. */
  push(instrument: number, update: number): void {
    if (this.isWriting) this.#writer?.fold(instrument, update);
  }

  /** A session ends. */
  settle(instrument: number): void {
    if (this.isWriting) this.#writer?.settle(instrument);
  }

  /** The operator stops the program: it commits what waits, and releases the claim. */
  stop(): void {
    this.#isStopping = true;
    this.mayEnd();
  }

  /** Drives the candidate or the lease, whichever the node has. */
  turn(): void {
    const lease = this.#lease;
    if (lease === undefined) this.#turnCandidate();
    else this.#turnLease(lease);
    const clock = this.#lease === undefined ? this.now : this.leaseNow;
    const wakeAt = this.#lease?.wakeAt ?? this.#candidate.wakeAt;
    if (wakeAt === Infinity || wakeAt >= this.#timerAt) return;
    this.#timerAt = wakeAt;
    this.after(wakeAt - clock, () => {
      if (this.#timerAt === wakeAt) this.#timerAt = Infinity;
      this.turn();
    });
  }

  #turnCandidate(): void {
    const { now } = this;
    let action = this.#candidate.step(now);
    if (action === 'abandon') {
      this.#control = new Connection();
      action = this.#candidate.step(now);
    }
    if (action !== 'claim') return;
    const { guards, database } = this.#world;
    const early = guards.restoreAfterClaim ? undefined : readMarket(database);
    const sentOnLeaseClock = this.leaseNow;
    this.ask(
      this.#control,
      (there, respond: (result: ClaimResult) => void) => {
        there.claim(this.id, respond);
      },
      (result) => {
        if (result === 'failed') {
          this.#control = new Connection();
          this.#candidate.failed(now, this.now);
        } else if ('endsInMs' in result) {
          this.#candidate.refused(now, result.endsInMs, this.now);
        } else {
          const lease = this.#candidate.granted(now, result.granted);
          if (lease !== undefined) this.#begin(lease, sentOnLeaseClock, early);
        }
        this.turn();
      },
    );
  }

  #begin(lease: Lease, sentOnLeaseClock: number, early: Market | undefined): void {
    const { countFromRequest, monotonicLease } = this.#world.guards;
    this.#lease = monotonicLease
      ? lease
      : new Lease({ token: lease.token, sentAt: sentOnLeaseClock });
    if (!countFromRequest) this.#lease.renewed(this.leaseNow);
    this.trace(() => `has the claim with token ${lease.token}`);
    if (early === undefined) this.#restore(this.#lease);
    else this.#open(this.#lease, early);
  }

  /** Reads the stored quotes over the connection that got the claim. */
  #restore(lease: Lease): void {
    const isCurrent = (): boolean => this.#lease === lease && this.#writer === undefined;
    this.ask(
      this.#control,
      (database, respond: (market: Market | 'failed') => void) => {
        respond(readMarket(database));
      },
      (market) => {
        if (isCurrent() && market !== 'failed') this.#open(lease, market);
      },
    );
    this.after(claimTiming.requestLimitMs, () => {
      if (!isCurrent()) return;
      this.#control = new Connection();
      this.#restore(lease);
    });
  }

  #open(lease: Lease, market: Market): void {
    const queue = this.#left;
    this.#left = new Group();
    this.#writer = new Writer({ world: this.#world, run: this, lease, market, queue });
    this.trace(() => `writes from version ${market.last}`);
    this.#world.opened(this);
    this.#writer.commit();
    this.mayEnd();
  }

  #turnLease(lease: Lease): void {
    const { stopAtExpiry, countFromRequest } = this.#world.guards;
    const now = this.leaseNow;
    let action = lease.step(now);
    if (action === 'stop' && (stopAtExpiry || lease.lostBy === 'fenced')) this.#lose(lease);
    if (action === 'abandon') {
      this.#control = new Connection();
      action = lease.step(now);
    }
    if (action !== 'renew') return;
    this.ask(
      this.#control,
      (database, respond: (result: CommitResult) => void) => {
        database.renew(lease.token, this.id, respond);
      },
      (result) => {
        if (result === 'stored') {
          if (!countFromRequest) lease.renewed(this.leaseNow);
          lease.renewed(now);
        } else if (result === 'fenced') {
          lease.fenced();
        } else {
          this.#control = new Connection();
          lease.renewalFailed(now, this.leaseNow);
        }
        if (this.#lease === lease) this.turn();
      },
    );
  }

  /** Stops writing at once, and stands by. */
  #lose(lease: Lease): void {
    this.trace(() => `has lost the claim: ${lease.lostBy}`);
    if (lease.lostBy === 'expired') this.#world.watch.counts.expiredLeases += 1;
    this.#writer?.end();
    if (!this.#world.guards.dropOnLoss) this.#left = this.#writer?.queue ?? this.#left;
    this.#lease = undefined;
    this.#writer = undefined;
    this.#candidate.standBy(this.now);
    if (this.#isStopping) this.mayEnd();
    else this.turn();
  }

  /** Ends the run when it is stopping and nothing is left to commit. */
  mayEnd(): void {
    if (!this.#isStopping || !this.isAlive || this.#writer?.isIdle === false) return;
    const lease = this.#lease;
    this.#candidate.stop();
    if (lease !== undefined && this.#world.guards.releaseOnStop) {
      this.ask(
        this.#control,
        (database) => {
          database.release(lease.token, this.id);
        },
        () => undefined,
      );
    }
    this.trace(() => 'has stopped');
    this.isAlive = false;
    this.#world.ended(this);
  }

  /** Sends a request to the database, and passes its response to this process. */
  ask<T>(
    connection: Connection,
    execute: (database: Database, respond: (result: T | 'failed') => void) => void,
    onResponse: (result: T | 'failed') => void,
  ): void {
    const { database } = this.#world;
    const link = this.#world.link(this.machine);
    const respond = (result: T | 'failed'): void => {
      link.send(connection, 'toNode', () => {
        this.happens(() => {
          onResponse(result);
        });
      });
    };
    link.request(connection, () => {
      if (database.isUp) execute(database, respond);
      else respond('failed');
    });
  }

  trace(text: () => string): void {
    this.#world.trace?.(`node ${this.machine} (run ${this.id})`, text);
  }
}
