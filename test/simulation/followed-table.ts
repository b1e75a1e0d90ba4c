import { Follower } from '../../src/cluster/follower.ts';
import { followTiming, storeFollowTiming } from '../../src/cluster/timing.ts';
import type { Database } from './database.ts';
import { Connection } from './link.ts';
import type { RunningProcess, Surroundings } from './surroundings.ts';
import { instruments } from './watch.ts';

/** The store ends a statement that takes longer than this, and its connection. */
const statementMsMax = 3_500;

interface Item {
  readonly item: number;
  readonly version: number;
}

/**
 * What one node has of a table that it follows, and the driver of its {@link Follower}. Keys are followed on a
 * connection of their own, which also listens for all hints, as the service's watch of PostgreSQL does. Quotes
 * are pulled through the store, which connects by itself.
 */
export class FollowedTable {
  readonly versions = new Int32Array(instruments);
  readonly table: 'quotes' | 'keys';
  readonly #world: Surroundings;
  readonly #run: RunningProcess;
  readonly #follower: Follower;
  #connection = new Connection();
  #timerAt = Infinity;
  #isHinted = false;
  #hintedVersion: number | undefined;
  /** When the pull under way was sent; undefined when none is. */
  #pulling: number | undefined;

  constructor(
    world: Surroundings,
    run: RunningProcess,
    table: 'quotes' | 'keys',
    random: () => number,
  ) {
    this.#world = world;
    this.#run = run;
    this.table = table;
    const timing = table === 'keys' ? followTiming : storeFollowTiming;
    this.#follower = new Follower(random, timing);
  }

  /** The connection on which the node listens for hints; undefined before it is open. */
  get listening(): Connection | undefined {
    return this.#connection.server === undefined ? undefined : this.#connection;
  }

  /** @param version what the hint names; undefined when the connection that listens was replaced. */
  hinted(version: number | undefined): void {
    this.#isHinted = true;
    this.#hintedVersion = version;
    this.#follower.hinted(this.#run.now);
    this.turn();
  }

  /** Another connection of the node was found dead: one that does not respond is taken for dead, too. */
  suspect(): void {
    if (this.#pulling === undefined) return;
    this.#fail();
    this.turn();
  }

  turn(): void {
    const run = this.#run;
    const { now } = run;
    let action = this.#follower.step(now);
    if (action !== 'wait') run.trace(() => `${this.table}: ${action}`);
    if (action === 'drop') {
      this.#connection = new Connection();
      this.#pulling = undefined;
      run.quotes.suspect();
      action = this.#follower.step(now);
    }
    if (action === 'connect') {
      if (this.table === 'keys') {
        this.#connect();
      } else {
        this.#follower.connected(now);
        action = this.#follower.step(now);
      }
    }
    if (action === 'pull') this.#pullIfDue(now);
    const { wakeAt } = this.#follower;
    if (wakeAt >= this.#timerAt) return;
    this.#timerAt = wakeAt;
    run.after(wakeAt - now, () => {
      if (this.#timerAt === wakeAt) this.#timerAt = Infinity;
      this.turn();
    });
  }

  #pullIfDue(now: number): void {
    const { pullWithoutHint, pullAllNewer } = this.#world.guards;
    if (this.#isHinted || pullWithoutHint || !this.#follower.isReady) {
      this.#pull(now, pullAllNewer ? undefined : this.#hintedVersion);
    } else {
      // Without the rule, the timer of the heartbeat does nothing.
      this.#follower.pulled(now, undefined, now);
    }
    this.#isHinted = false;
    this.#hintedVersion = undefined;
  }

  #connect(): void {
    const run = this.#run;
    const connection = this.#connection;
    run.connect(connection, (isOpen) => {
      if (this.#connection !== connection) return;
      if (isOpen) this.#follower.connected(run.now);
      else this.#fail();
      this.turn();
      // Some hints may have been missed.
      if (isOpen) run.listensAgain();
    });
  }

  #pull(sentAt: number, only: number | undefined): void {
    const run = this.#run;
    const connection = this.#connection;
    const { position } = this.#follower;
    this.#pulling = sentAt;
    run.ask(
      connection,
      (server, respond: (items: readonly Item[]) => void) => {
        respond(this.#read(server, position, only));
      },
      (items) => {
        if (items !== 'failed') this.#adopt(items, sentAt);
        else if (this.#connection === connection) this.#fail();
        this.turn();
      },
    );
    if (this.table === 'keys') return;
    run.after(statementMsMax, () => {
      if (this.#pulling !== sentAt) return;
      this.#fail();
      this.turn();
    });
  }

  #fail(): void {
    this.#run.trace(() => `${this.table}: failed`);
    this.#connection = new Connection();
    this.#pulling = undefined;
    this.#follower.failed(this.#run.now);
  }

  #read({ versions, keys }: Database, position: number, only: number | undefined): readonly Item[] {
    const stored = this.table === 'quotes' ? versions : keys.revisions;
    const items: Item[] = [];
    for (let item = 0; item < instruments; item += 1) {
      const version = stored[item] as number;
      if (only === undefined ? version > position : version === only) items.push({ item, version });
    }
    return items;
  }

  #adopt(items: readonly Item[], sentAt: number): void {
    const { adoptOnlyNewer } = this.#world.guards;
    let newest: number | undefined;
    for (const { version } of items) newest = Math.max(newest ?? 0, version);
    const isCurrent = this.#follower.pulled(sentAt, newest, this.#run.now);
    if (isCurrent) this.#pulling = undefined;
    else if (adoptOnlyNewer) return;
    for (const { item, version } of items) {
      if (version <= (this.versions[item] as number) && adoptOnlyNewer) continue;
      this.versions[item] = version;
      if (this.table === 'quotes') this.#world.watch.shows(this.#run.machine, item, version);
      else this.#world.watch.showsKey(this.#run.machine, item, version);
    }
  }
}
