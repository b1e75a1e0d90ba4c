import type { Lease } from '../../src/cluster/lease.ts';
import { claimTiming } from '../../src/cluster/timing.ts';
import type { CommitResult, Database } from './database.ts';
import { Connection } from './link.ts';
import type { RunningProcess, Surroundings } from './surroundings.ts';
import { instruments, type Row } from './watch.ts';

/** Pauses before a failed commit is repeated, in milliseconds, as in `pipeline/live/persist.ts`. */
const retryPausesMs = [50, 200, 1_000];

/** Quotes by version, as a writer has read them. */
export interface Market {
  readonly versions: Int32Array;
  readonly folded: Int32Array;
  readonly hidden: Int32Array;
  last: number;
}

export function readMarket({ versions, folded, hidden }: Database): Market {
  return {
    versions: versions.slice(),
    folded: folded.slice(),
    hidden: hidden.slice(),
    last: Math.max(...versions),
  };
}

/** Quotes that are committed together, and the updates whose callers wait for the commit. */
export class Group {
  readonly rows: (Row | undefined)[] = [];
  readonly waiting = new Int32Array(instruments);

  get isEmpty(): boolean {
    return this.rows.length === 0;
  }
}

/** A model of engine and persist under one claim: it folds updates, and commits one group after the other. */
export class Writer {
  queue: Group;
  readonly lease: Lease;
  readonly #market: Market;
  readonly #world: Surroundings;
  readonly #run: RunningProcess;
  #underWay: Group | undefined;
  #failures = 0;
  #attempts = 0;
  #connection = new Connection();
  #isOver = false;

  constructor(deps: {
    readonly world: Surroundings;
    readonly run: RunningProcess;
    readonly lease: Lease;
    readonly market: Market;
    readonly queue: Group;
  }) {
    this.#world = deps.world;
    this.#run = deps.run;
    this.#market = deps.market;
    this.lease = deps.lease;
    this.queue = deps.queue;
  }

  get isIdle(): boolean {
    return this.#underWay === undefined && this.queue.isEmpty;
  }

  /** Stops at once: no further commit, and no response to the one under way is awaited. */
  end(): void {
    this.#isOver = true;
  }

  /** Folds an update into the quote of its instrument, and commits it. */
  fold(instrument: number, update: number): void {
    const market = this.#market;
    const bit = 1 << update;
    market.last += 1;
    const folded = (market.folded[instrument] as number) | bit;
    market.versions[instrument] = market.last;
    market.folded[instrument] = folded;
    this.#run.trace(() => `folds update ${update} of instrument ${instrument} as ${market.last}`);
    const hidden = market.hidden[instrument] as number;
    this.queue.rows[instrument] = { instrument, version: market.last, folded, hidden };
    this.queue.waiting[instrument] = (this.queue.waiting[instrument] as number) | bit;
    if (!this.#world.guards.acknowledgeAfterCommit) {
      this.#world.watch.acknowledges(bit, this.#world.database.row(instrument));
    }
    this.commit();
  }

  /** Changes what a quote stores and does not show, as the end of a session does. */
  settle(instrument: number): void {
    const { versions, folded, hidden } = this.#market;
    const version = versions[instrument] as number;
    if (version === 0) return;
    const next = (hidden[instrument] as number) + 1;
    hidden[instrument] = next;
    this.queue.rows[instrument] = {
      instrument,
      version,
      folded: folded[instrument] as number,
      hidden: next,
    };
    this.commit();
  }

  commit(): void {
    if (this.#isOver || this.#underWay !== undefined || this.queue.isEmpty) return;
    const { guards, random, profile, isHealed } = this.#world;
    if (!this.lease.mayWrite(this.#run.leaseNow) && guards.stopAtExpiry) {
      this.#run.turn();
      return;
    }
    this.#world.decidesToWrite(this.#run, this.lease.token);
    const group = this.queue;
    this.queue = new Group();
    this.#underWay = group;
    // The process may be suspended between the decision and the write.
    const isSuspended = !profile.isBounded && !isHealed && random.oneIn(16);
    if (isSuspended) this.#run.freezeFor(random.between(5, 3_500));
    this.#run.happens(() => {
      this.#send(group);
    });
  }

  #send(group: Group): void {
    const run = this.#run;
    let isDone = false;
    const done = (result: CommitResult): void => {
      if (isDone || this.#isOver) return;
      isDone = true;
      run.trace(() => `commit ${result}`);
      this.#underWay = undefined;
      this.#committed(group, result);
    };
    const rows = group.rows.filter((row) => row !== undefined);
    run.trace(() => `commits ${rows.map(({ version }) => version).join(', ')}`);
    this.#attempts += 1;
    const request = { token: this.lease.token, holder: run.id, attempt: this.#attempts, rows };
    run.ask(
      this.#connection,
      (database, respond: (result: CommitResult) => void) => {
        database.commit(request, respond);
      },
      done,
    );
    run.after(claimTiming.requestLimitMs, () => {
      done('failed');
    });
  }

  #committed(group: Group, result: CommitResult): void {
    if (result === 'stored') {
      this.#failures = 0;
      this.#acknowledge(group);
      this.commit();
    } else if (result === 'fenced') {
      this.#putBack(group);
      this.lease.fenced();
      this.#run.turn();
    } else {
      this.#retry(group);
    }
    this.#run.mayEnd();
  }

  #acknowledge(group: Group): void {
    const { watch, database } = this.#world;
    for (let instrument = 0; instrument < instruments; instrument += 1) {
      const updates = group.waiting[instrument] as number;
      const row = group.rows[instrument];
      if (row === undefined) continue;
      watch.knowsStored(row, database.row(instrument));
      if (updates !== 0) watch.acknowledges(updates, database.row(instrument));
    }
  }

  /** The callers get the fault. The quotes wait for the next commit, unless newer quotes replace them. */
  #retry(group: Group): void {
    this.#connection = new Connection();
    this.#putBack(group);
    const pauseMs = retryPausesMs[Math.min(this.#failures, 2)] as number;
    this.#failures += 1;
    const pausing = new Group();
    this.#underWay = pausing;
    this.#run.after(pauseMs, () => {
      if (this.#underWay !== pausing) return;
      this.#underWay = undefined;
      this.commit();
    });
  }

  #putBack(group: Group): void {
    for (const row of group.rows) {
      if (row !== undefined) this.queue.rows[row.instrument] ??= row;
    }
  }
}
