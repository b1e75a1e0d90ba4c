import { ClockDifference } from '../../src/cluster/clock-difference.ts';
import { KnownLineage, judgeLineage, type Lineage } from '../../src/cluster/lineage.ts';
import { Candidate } from '../../src/cluster/candidate.ts';
import { Lease } from '../../src/cluster/lease.ts';
import { claimTiming } from '../../src/cluster/timing.ts';
import type { ClaimResult, CommitResult, Database, Hint } from './database.ts';
import { FollowedTable } from './followed-table.ts';
import { Connection } from './link.ts';
import type { RunningProcess, Surroundings } from './surroundings.ts';
import { Group, readMarket, Writer, type Market } from './writer.ts';

/** How often a node asks the others which line they know, in milliseconds. */
const exchangeMs = 1_000;

/** All servers of a history are copies of one. */
function lineageOf(timeline: number): Lineage {
  return { line: { system: '1', timeline }, insteadOf: [] };
}

/**
 * One run of the program on one machine: a candidate, the writer that it may become, and the followers of
 * quotes and keys. `Candidate`, `Lease` and `Follower` are those of the service; engine, persist and the
 * driver of PostgreSQL are modelled. A crash ends the run; the next run of the machine is a new object.
 */
export class NodeRun implements RunningProcess {
  /** Unique over all runs. The database knows a holder by it. */
  readonly id: number;
  readonly machine: number;
  isAlive = true;
  readonly quotes: FollowedTable;
  readonly keys: FollowedTable;
  /** What this run knows of the lines of the database. */
  readonly known = new KnownLineage();
  /** Since when it has known that, in true milliseconds. */
  knownSince = 0;
  /** Since when it has run without being frozen, in true milliseconds. */
  awakeSince = 0;
  readonly #world: Surroundings;
  readonly #candidate: Candidate;
  readonly #clock = new ClockDifference();
  #lease: Lease | undefined;
  #writer: Writer | undefined;
  #isStopping = false;
  #control = new Connection();
  #timerAt = Infinity;
  /** What arrived while the process was frozen. */
  #deferred: (() => void)[] | undefined;
  /** What a writer had not stored when it lost the claim. Empty unless the guard is off. */
  #left = new Group();

  constructor(world: Surroundings, id: number, machine: number) {
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
    this.awakeSince = this.#world.agenda.now;
    if (this.#world.profile.forks && this.#world.guards.askOthers) this.#exchange();
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
    this.awakeSince = this.#world.agenda.now;
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

  /** The timeline that this run knows. 0 before it knows any. */
  get timeline(): number {
    return this.known.current?.line.timeline ?? 0;
  }

  #learn(timeline: number): void {
    if (timeline <= this.timeline) return;
    this.known.meet(lineageOf(timeline));
    this.knownSince = this.#world.agenda.now;
  }

  /** Asks the other nodes which line they know, and continues when they have responded. */
  #askOthers(then: () => void): void {
    const { guards, profile } = this.#world;
    if (!profile.forks || !guards.askOthers) {
      then();
      return;
    }
    this.after(2, () => {
      for (const timeline of this.#world.linesOfOthers(this)) this.#learn(timeline);
      then();
    });
  }

  #exchange(): void {
    this.after(exchangeMs, () => {
      this.#askOthers(() => {
        this.#exchange();
      });
    });
  }

  /** Whether the server at the other end of a connection may be used. */
  isUsable({ server }: Connection): boolean {
    if (server === undefined || !this.#world.guards.refuseOlderLine) return true;
    return judgeLineage(lineageOf(server.timeline), this.known.current) === 'current';
  }

  /** Connects to a server that accepts writes, as `HostFinder` of the service does. */
  connect(connection: Connection, onDone: (isOpen: boolean) => void): void {
    const link = this.#world.link(this.machine);
    const { profile, guards } = this.#world;
    link.send(connection, 'toDatabase', () => {
      const servers = this.#world.reachableServers();
      const found = servers[this.#world.random.below(Math.max(1, servers.length))];
      link.send(connection, 'toNode', () => {
        this.happens(() => {
          if (found === undefined) {
            onDone(false);
            return;
          }
          if (profile.hasAllAddresses && guards.refuseOlderLine) {
            for (const { timeline } of servers) this.#learn(timeline);
          }
          connection.server = found;
          this.#askOthers(() => {
            const isOpen = this.isUsable(connection);
            if (isOpen) this.#learn(found.timeline);
            if (isOpen) this.#world.uses(found);
            else connection.server = undefined;
            onDone(isOpen);
          });
        });
      });
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
    const control = this.#control;
    this.#readClock(control, (isRight) => {
      if (!isRight) {
        this.#control = new Connection();
        this.#candidate.failed(now, this.now);
        this.turn();
        return;
      }
      this.#askOthers(() => {
        this.#claim(control, now, sentOnLeaseClock, early);
      });
    });
  }

  /** Compares the clock with that of the database, before a claim. */
  #readClock(control: Connection, then: (isRight: boolean) => void): void {
    if (!this.#world.profile.wrongClocks) {
      then(true);
      return;
    }
    const sentAt = this.now;
    this.ask(
      control,
      (_, respond: (databaseMs: number) => void) => {
        respond(this.#world.agenda.now);
      },
      (databaseMs) => {
        if (databaseMs === 'failed') then(false);
        else then(!this.#isClockOff(databaseMs, sentAt));
      },
    );
  }

  /** @param sentAt when the request was sent, by the monotonic clock. */
  #isClockOff(databaseMs: number, sentAt: number): boolean {
    const ownMs = this.#world.wallOf(this.machine);
    this.#clock.read({ databaseMs, ownMs, tripMs: this.now - sentAt });
    return this.#clock.isOff && this.#world.guards.rightClock;
  }

  #claim(
    control: Connection,
    now: number,
    sentOnLeaseClock: number,
    early: Market | undefined,
  ): void {
    this.ask(
      control,
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
    const sentAt = this.now;
    let databaseMs = 0;
    this.ask(
      this.#control,
      (database, respond: (result: CommitResult) => void) => {
        database.renew(lease.token, this.id, (result) => {
          databaseMs = this.#world.agenda.now;
          respond(result);
        });
      },
      (result) => {
        const isOff = result === 'stored' && this.#isClockOff(databaseMs, sentAt);
        if (isOff && this.#lease === lease) {
          this.trace(() => 'has a wrong clock');
          this.#release(lease);
          lease.fenced();
        } else if (result === 'stored') {
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
    if (lease !== undefined && this.#world.guards.releaseOnStop) this.#release(lease);
    this.trace(() => 'has stopped');
    this.isAlive = false;
    this.#world.ended(this);
  }

  #release(lease: Lease): void {
    this.ask(
      this.#control,
      (database) => {
        database.release(lease.token, this.id);
      },
      () => undefined,
    );
  }

  /** Sends a request to the database, and passes its response to this process. */
  ask<T>(
    connection: Connection,
    execute: (database: Database, respond: (result: T | 'failed') => void) => void,
    onResponse: (result: T | 'failed') => void,
  ): void {
    const link = this.#world.link(this.machine);
    const send = (server: Database): void => {
      const askedAt = this.#world.agenda.now;
      const respond = (result: T | 'failed'): void => {
        link.send(connection, 'toNode', () => {
          this.happens(() => {
            // The session was closed when a newer line became known.
            if (!this.isUsable(connection)) {
              onResponse('failed');
              return;
            }
            this.#world.accepts(this, server, askedAt);
            onResponse(result);
          });
        });
      };
      link.send(connection, 'toDatabase', () => {
        server.receive(() => {
          if (server.isUp) execute(server, respond);
          else respond('failed');
        });
      });
    };
    const { server } = connection;
    if (server !== undefined) {
      if (this.isUsable(connection)) send(server);
      else
        this.after(1, () => {
          onResponse('failed');
        });
      return;
    }
    this.connect(connection, (isOpen) => {
      if (isOpen && connection.server !== undefined) send(connection.server);
      else onResponse('failed');
    });
  }

  trace(text: () => string): void {
    this.#world.trace?.(`node ${this.machine} (run ${this.id})`, text);
  }
}
