import { claimTiming } from '../../src/cluster/timing.ts';
import type { Agenda } from './tools/agenda.ts';
import { ClaimLock, statementLimitMs, type Transaction } from './claim-lock.ts';
import type { Guards } from './guards.ts';
import { KeyTable } from './key-table.ts';
import type { Prng } from './tools/prng.ts';
import type { Profile } from './profile.ts';
import { instruments, type Row, type Trace, type Watch } from './watch.ts';

/** A transaction that waits longer than this for its client is ended. */
const idleLimitMs = 2_000;

export type CommitResult = 'stored' | 'fenced' | 'failed';
export type ClaimResult = { readonly granted: number } | { readonly endsInMs: number } | 'failed';

/** What a notification announces, with a version or a revision. */
export type Hint = 'quotes' | 'keys' | 'released';

/** A commit of quotes, as it arrives. */
export interface CommitRequest {
  readonly token: number;
  readonly holder: number;
  /** Rises with each attempt under one token. */
  readonly attempt: number;
  readonly rows: readonly Row[];
}

/** What a database is built from. */
export interface DatabaseDeps {
  readonly agenda: Agenda;
  readonly random: Prng;
  readonly profile: Profile;
  readonly guards: Guards;
  readonly watch: Watch;
  readonly notify: (from: Database, hint: Hint, version: number) => void;
  /** Whether a server is the newest that any node has used. What a former primary stores is of no account. */
  readonly isCurrent: (server: Database) => boolean;
  readonly trace: Trace | undefined;
}

/**
 * A model of the database: the row of the claim with its lock, quotes, keys, and transactions that take
 * time. What is committed survives a crash; a transaction under way does not. A copy that is promoted continues on
 * a higher timeline.
 */
export class Database {
  isUp = true;
  readonly timeline: number;
  /** What arrives or ends while the server is frozen. */
  #deferred: (() => void)[] | undefined;
  #isHealed = false;
  token = 0;
  holder = -1;
  readonly versions = new Int32Array(instruments);
  readonly folded = new Int32Array(instruments);
  readonly hidden = new Int32Array(instruments);
  readonly keys: KeyTable;
  #expiresAt = 0;
  /** The number of the last attempt that was stored under the token. */
  #attempts = 0;
  #clockOffset: number;
  readonly #clockRate: number;
  readonly #lock: ClaimLock;
  readonly #deps: DatabaseDeps;

  /** @param copyOf the server of which this one is a promoted copy. */
  constructor(deps: DatabaseDeps, copyOf?: Database) {
    const { agenda, random, guards, notify } = deps;
    this.#deps = deps;
    this.timeline = copyOf === undefined ? 1 : copyOf.timeline + 1;
    this.#lock = new ClaimLock(agenda, (event) => {
      this.receive(event);
    });
    this.keys = new KeyTable({
      agenda,
      random,
      isRevisionUnderLock: guards.revisionUnderLock,
      onChange: (revision) => {
        notify(this, 'keys', revision);
      },
    });
    this.#clockOffset = random.below(100_000);
    this.#clockRate = 1 + (random.below(2_001) - 1_000) / 1e5;
    if (copyOf !== undefined) this.#copy(copyOf);
  }

  #copy(other: Database): void {
    this.token = other.token;
    this.holder = other.holder;
    this.versions.set(other.versions);
    this.folded.set(other.folded);
    this.hidden.set(other.hidden);
    this.keys.copy(other.keys);
    this.#expiresAt = this.#now + Math.min(claimTiming.leaseMs, other.endsInMs);
    this.#attempts = other.#attempts;
  }

  freeze(): void {
    this.#deferred ??= [];
  }

  thaw(): void {
    const deferred = this.#deferred ?? [];
    this.#deferred = undefined;
    for (const event of deferred) event();
  }

  get isFrozen(): boolean {
    return this.#deferred !== undefined;
  }

  /** Runs an event of this server: now, or when it is no longer frozen. */
  receive(event: () => void): void {
    if (this.#deferred === undefined) event();
    else this.#deferred.push(event);
  }

  get #now(): number {
    return Math.floor(this.#deps.agenda.now * this.#clockRate) + this.#clockOffset;
  }

  /** How long the lease still lasts, by the clock of the database. */
  get endsInMs(): number {
    return this.#expiresAt - this.#now;
  }

  /** What is stored of an instrument. */
  row(instrument: number): Row {
    const [version, folded, hidden] = [this.versions, this.folded, this.hidden].map(
      (all) => all[instrument] as number,
    ) as [number, number, number];
    return { instrument, version, folded, hidden };
  }

  /** Somebody sets the clock. */
  jumpClock(byMs: number): void {
    this.#clockOffset += byMs;
  }

  /** From now on no transaction is slow. */
  heal(): void {
    this.#isHealed = true;
  }

  crash(): void {
    this.isUp = false;
    this.#deferred = undefined;
    this.#lock.clear();
    this.keys.crash();
  }

  /** A candidate gets the claim if it is free, if its lease has ended, or if it has the claim already. */
  claim(holder: number, respond: (result: ClaimResult) => void): void {
    const { guards, random, watch } = this.#deps;
    const isRefused = (): boolean => {
      const hasEnded = this.endsInMs <= 0 && guards.takeExpired;
      if (this.holder === holder || this.holder === -1 || hasEnded) return false;
      respond({ endsInMs: this.endsInMs });
      return true;
    };
    if (isRefused()) return;
    // The taker ends a transaction of the old holder whose client does not continue.
    const { owner } = this.#lock;
    if (owner?.isIdle === true) this.#lock.end(owner);
    const transaction = transactionOf(respond, () => {
      if (isRefused()) {
        this.#lock.release(transaction);
        return;
      }
      const expiresAt = this.#now + claimTiming.leaseMs;
      this.#lock.work(transaction, random.between(1, 3), () => {
        if (guards.raiseToken || this.token === 0) this.token += 1;
        this.#attempts = 0;
        this.holder = holder;
        this.#expiresAt = expiresAt;
        watch.counts.grants += 1;
        this.#trace(() => `grants token ${this.token} to run ${holder}`);
        respond({ granted: this.token });
      });
    });
    this.#lock.acquire(transaction);
  }

  renew(token: number, holder: number, respond: (result: CommitResult) => void): void {
    this.#changeClaim(token, holder, respond, () => {
      this.#expiresAt = this.#now + claimTiming.leaseMs;
    });
  }

  release(token: number, holder: number): void {
    this.#changeClaim(
      token,
      holder,
      () => undefined,
      () => {
        this.holder = -1;
        this.#expiresAt = this.#now;
        this.#deps.notify(this, 'released', 0);
      },
    );
  }

  #changeClaim(
    token: number,
    holder: number,
    respond: (result: CommitResult) => void,
    change: () => void,
  ): void {
    const transaction = transactionOf(respond, () => {
      const isHolder = token === this.token && holder === this.holder;
      if (isHolder) change();
      this.#lock.release(transaction);
      respond(isHolder ? 'stored' : 'fenced');
    });
    this.#lock.acquire(transaction);
  }

  /** Stores quotes in one transaction, if the token is the current one. */
  commit(request: CommitRequest, respond: (result: CommitResult) => void): void {
    const { guards, watch } = this.#deps;
    const transaction = transactionOf(respond, () => {
      const isLate = guards.numberAttempts && request.attempt <= this.#attempts;
      if (guards.checkToken && (request.token !== this.token || isLate)) {
        watch.counts.fencedCommits += 1;
        this.#lock.release(transaction);
        respond('fenced');
        return;
      }
      this.#write(transaction, request, respond);
    });
    if (guards.checkToken && guards.lockClaim) this.#lock.acquire(transaction);
    else transaction.locked();
  }

  /** The part of a commit between the comparison of the token and its end. */
  #write(
    transaction: Transaction,
    request: CommitRequest,
    respond: (result: CommitResult) => void,
  ): void {
    const { agenda, random, profile } = this.#deps;
    let workMs = random.between(1, 3);
    let limitMs = Infinity;
    if (this.#isHealed) {
      // It commits without delay.
    } else if (profile.splitCommits && random.oneIn(10)) {
      transaction.isIdle = true;
      workMs = random.between(50, 4_500);
      limitMs = idleLimitMs;
    } else if (profile.slowDisk && random.oneIn(10)) {
      workMs = random.between(50, 1_500);
      // A write that waits for the disk cannot always be cancelled.
      if (!random.oneIn(3)) limitMs = statementLimitMs;
    }
    if (workMs > limitMs) {
      agenda.after(limitMs, () => {
        this.#lock.end(transaction);
      });
      return;
    }
    this.#lock.work(transaction, workMs, () => {
      this.#store(request);
      respond('stored');
    });
  }

  #store({ holder, token, attempt, rows }: CommitRequest): void {
    const { guards, watch, notify } = this.#deps;
    this.#trace(() => `stores ${rows.map(({ version }) => version).join(', ')} of run ${holder}`);
    this.#attempts = Math.max(attempt, this.#attempts);
    const isCurrent = this.#deps.isCurrent(this);
    if (isCurrent) watch.commits(holder, token, rows);
    let newest = 0;
    for (const row of rows) {
      const { instrument, version, folded, hidden } = row;
      newest = Math.max(newest, version);
      if (guards.storeOnlyNewer && version < (this.versions[instrument] as number)) {
        watch.counts.staleRows += 1;
        continue;
      }
      this.versions[instrument] = version;
      this.folded[instrument] = folded;
      this.hidden[instrument] = hidden;
      if (isCurrent) watch.stored(row);
    }
    notify(this, 'quotes', newest);
  }

  #trace(text: () => string): void {
    this.#deps.trace?.(`database ${this.timeline}`, text);
  }
}

function transactionOf(respond: (result: 'failed') => void, locked: () => void): Transaction {
  return {
    isOver: false,
    isIdle: false,
    locked,
    failed: () => {
      respond('failed');
    },
  };
}
