import { claimTiming } from '../../src/cluster/timing.ts';
import { Agenda } from './tools/agenda.ts';
import { Database, type Hint } from './database.ts';
import type { Guards } from './guards.ts';
import { Link } from './link.ts';
import { NodeRun } from './node.ts';
import { Prng } from './tools/prng.ts';
import { drawProfile, type Profile } from './profile.ts';
import type { Surroundings } from './surroundings.ts';
import { Violation } from './violation.ts';
import { instruments, Watch, type Counts, type Trace } from './watch.ts';

/** How often the world looks for a writer. */
const lookEveryMs = 50;
/** Somebody must write this long after the last fault. The rest of the promised 3.5 s is a reserve. */
const takeOverMsMax = 2_800;
/** The same, when a node could send but not receive: its last renewal may be younger. */
const deafTakeOverMsMax = 3_600;
const handOverMsMax = 300;
/** A stand-by is warm when nothing has happened for this long. */
const warmMs = 1_500;
/** Everything is healed for this long before the nodes are compared with the database. */
const settleMs = 6_500;

/** One machine that runs the program. It survives the crash of a run. */
interface Machine {
  readonly link: Link;
  readonly clockOffset: number;
  readonly clockRate: number;
  /** The difference between its wall clock and its monotonic clock. */
  wallSkew: number;
  /** By how much its wall clock is wrong, and when it was set, in milliseconds. */
  clockError: number;
  clockSetAt: number;
  run: NodeRun;
}

/**
 * A node has used a former primary while it could ask no node that knows the newer line. Nothing can prevent this, so
 * the history ends.
 */
class Torn extends Error {}

/** The faults that may happen to a world. */
export interface Faults {
  /** Lets one fault happen, and arranges for its end. */
  happen(world: World): void;
  /** Replaces the server of the database by a copy, and lets it accept writes again later. */
  fork(world: World): void;
}

interface WorldParts {
  readonly guards: Guards;
  readonly faults: Faults;
  readonly counts: Counts;
  readonly trace?: Trace;
}

/** One history: nodes, the database, the faults between them, and the {@link Watch} over everything. */
export class World implements Surroundings {
  readonly agenda = new Agenda();
  readonly random: Prng;
  readonly profile: Profile;
  readonly guards: Guards;
  readonly watch: Watch;
  /** All servers, in the order of their timelines. */
  readonly servers: Database[] = [];
  /** The newest server that any node has used. */
  database: Database;
  /** The server at the address of the database, where the nodes have one address only. */
  addressed: Database;
  readonly trace: Trace | undefined;
  readonly machines: Machine[] = [];
  /** Whether a node could send but not receive at some time. */
  wasDeaf = false;
  /** From then on nothing fails and nothing is slow. */
  isHealed = false;
  readonly #faults: Faults;
  #runs = 0;
  #lastWriterAt = 0;
  #disturbedAt = 0;
  #disturbances = 0;
  #disturbedBefore = 0;
  #stoppedAt: number | undefined;

  constructor(seed: number, { guards, faults, counts, trace }: WorldParts) {
    this.random = new Prng(seed);
    this.profile = drawProfile(this.random);
    this.guards = guards;
    this.trace = trace;
    this.#faults = faults;
    const { agenda, random, profile } = this;
    this.watch = new Watch(profile.nodes, counts);
    this.database = this.#newServer();
    this.addressed = this.database;
    for (let machine = 0; machine < profile.nodes; machine += 1) {
      this.machines.push({
        link: new Link(agenda, random, profile.slowNetwork),
        clockOffset: random.below(100_000),
        clockRate: 1 + (random.below(2_001) - 1_000) / 1e5,
        wallSkew: random.below(10_000) - 5_000,
        clockError: 0,
        clockSetAt: 0,
        run: this.#newRun(machine),
      });
    }
  }

  /** Runs the history to its end. Throws a {@link Violation}. */
  play(): void {
    const { agenda, profile } = this;
    this.trace?.('world', () => JSON.stringify(profile));
    this.#plan();
    try {
      agenda.runUntil(profile.activeMs);
      this.#healAll();
      agenda.runUntil(profile.activeMs + settleMs);
      this.#compare();
    } catch (end) {
      if (!(end instanceof Torn)) throw end;
      this.watch.counts.torn += 1;
    }
    this.watch.counts.histories += 1;
    this.watch.counts.events += agenda.events;
  }

  #plan(): void {
    const { agenda, random, profile } = this;
    for (const { run } of this.machines) {
      agenda.after(random.between(0, 30), () => {
        run.start();
      });
    }
    for (let update = 0; update < profile.updates; update += 1) {
      agenda.after(random.between(30, profile.activeMs), () => {
        this.#push(update);
      });
    }
    for (let change = 0; change < profile.keyChanges; change += 1) {
      const key = random.below(instruments);
      // Some changes come together, as when two operators work at the same time.
      agenda.after(random.between(1, 4) * 700 + random.below(40), () => {
        if (this.database.isUp) this.database.keys.change(key);
      });
    }
    for (let fault = 0; fault < profile.faults; fault += 1) {
      agenda.after(random.between(200, profile.activeMs), () => {
        this.#faults.happen(this);
      });
    }
    if (profile.forks) {
      agenda.after(random.between(500, 2_500), () => {
        this.#faults.fork(this);
      });
    }
    agenda.after(lookEveryMs, () => {
      this.#look();
    });
  }

  machine(index: number): Machine {
    return this.machines[index] as Machine;
  }

  link(machine: number): Link {
    return this.machine(machine).link;
  }

  rateOf(machine: number): number {
    return this.machine(machine).clockRate;
  }

  clockOf(machine: number): number {
    const { clockRate, clockOffset } = this.machine(machine);
    return Math.floor(this.agenda.now * clockRate) + clockOffset;
  }

  skewOf(machine: number): number {
    return this.machine(machine).wallSkew;
  }

  /** The wall clock of a machine. That of the databases is right. */
  wallOf(machine: number): number {
    return this.agenda.now + this.machine(machine).clockError;
  }

  setClock(index: number, errorMs: number): void {
    const machine = this.machine(index);
    machine.clockError = errorMs;
    machine.clockSetAt = this.agenda.now;
    this.disturb();
  }

  /** A fault begins or ends. */
  disturb(): void {
    const { now } = this.agenda;
    if (now !== this.#disturbedAt) this.#disturbedBefore = this.#disturbedAt;
    this.#disturbedAt = now;
    this.#disturbances += 1;
  }

  restart(index: number): void {
    const machine = this.machine(index);
    if (machine.run.isAlive) return;
    this.trace?.(`node ${index}`, () => `starts as run ${this.#runs}`);
    this.disturb();
    machine.run = this.#newRun(index);
    machine.run.start();
  }

  startDatabase(): void {
    if (this.database.isUp) return;
    this.trace?.('database', () => 'is up again');
    this.disturb();
    this.database.isUp = true;
  }

  /** A holder has found that it may write, and is about to. */
  decidesToWrite(run: NodeRun, token: number): void {
    if (this.profile.databaseClockJumps || this.profile.forks) return;
    const { database } = this;
    const isOther = database.holder !== run.id && database.holder !== -1;
    if (!isOther && (database.token !== token || database.endsInMs > 0)) return;
    const detail = `token ${token}; run ${database.holder} has ${database.token}, for ${database.endsInMs} ms`;
    throw new Violation('wrote after expiry', detail);
  }

  /** A run has read the quotes and begins to write. */
  opened(run: NodeRun): void {
    const { counts } = this.watch;
    counts.takeOvers += 1;
    if (this.#stoppedAt === undefined || !run.isWriting) return;
    counts.handOvers += 1;
    counts.handOverMsMax = Math.max(counts.handOverMsMax, this.agenda.now - this.#stoppedAt);
    this.#stoppedAt = undefined;
  }

  /** A writer is about to stop as planned. If nothing else is in the way, a stand-by must write soon. */
  expectHandOver(stopping: NodeRun): void {
    const { isBounded, badHints } = this.profile;
    const isWarm = this.agenda.now - this.#disturbedBefore > warmMs;
    if (!isBounded || badHints || !stopping.isWriting || !isWarm || !this.database.isUp) return;
    for (const { run, link } of this.machines) {
      if (!run.isAlive || run.isFrozen || !link.isUp) return;
    }
    this.#stoppedAt = this.agenda.now;
    const mark = this.#disturbances;
    this.agenda.after(handOverMsMax, () => {
      this.#stoppedAt = undefined;
      if (this.#disturbances !== mark || this.#writer() !== undefined) return;
      throw new Violation('late hand-over', `nobody writes ${handOverMsMax} ms after the stop`);
    });
  }

  /** A run has stopped as planned. The machine starts the program again a little later. */
  ended(run: NodeRun): void {
    this.agenda.after(this.random.between(400, 1_500), () => {
      this.restart(run.machine);
    });
  }

  #newServer(copyOf?: Database): Database {
    const { agenda, random, profile, guards, watch, trace } = this;
    const server: Database = new Database(
      {
        agenda,
        random,
        profile,
        guards,
        watch,
        trace,
        notify: (from, hint, version) => {
          this.#notify(from, hint, version);
        },
        isCurrent: (one) => one === this.database,
      },
      copyOf,
    );
    this.servers.push(server);
    return server;
  }

  /** Promotes a copy of the server. No node has used it yet. */
  promote(): Database {
    this.addressed = this.#newServer(this.database);
    return this.addressed;
  }

  /** The servers that accept connections and writes, as far as the nodes have their addresses. */
  reachableServers(): readonly Database[] {
    const all = this.profile.hasAllAddresses ? this.servers : [this.addressed];
    return all.filter(({ isUp, isFrozen }) => isUp && !isFrozen);
  }

  /** A node uses a server. From then on, what older ones store is of no account. */
  uses(server: Database): void {
    if (server.timeline <= this.database.timeline) return;
    this.trace?.('world', () => `line ${server.timeline} is used`);
    this.database = server;
    this.disturb();
  }

  /** The lines that other nodes know, as far as they respond. */
  linesOfOthers(asking: NodeRun): readonly number[] {
    return this.machines
      .filter(({ run }) => run !== asking && run.isAlive && !run.isFrozen)
      .map(({ run }) => run.timeline);
  }

  /**
   * A run accepts a response of a server: the claim, a commit, or what it shows. The server may be a former one only
   * while no node that knows the newer line can be asked, or when the response arrived while the run was frozen.
   *
   * @param askedAt when the request was sent.
   */
  accepts({ id, timeline: known, awakeSince }: NodeRun, from: Database, askedAt: number): void {
    if (from.timeline >= this.database.timeline || this.isHealed) return;
    const { timeline } = this.database;
    const slackMs = this.profile.slowNetwork ? 6_000 : 2_000;
    // Its own memory suffices.
    const knew = known >= timeline;
    const knows = this.machines.filter(
      ({ run }) =>
        run.isAlive &&
        !run.isFrozen &&
        run.timeline >= timeline &&
        askedAt - Math.max(run.knownSince, run.awakeSince) > slackMs,
    );
    if (knew || (knows.length > 0 && this.agenda.now - awakeSince > slackMs)) {
      throw new Violation('used an older line', `run ${id}, timeline ${from.timeline}`);
    }
    throw new Torn();
  }

  #newRun(machine: number): NodeRun {
    const run = new NodeRun(this, this.#runs, machine);
    this.#runs += 1;
    return run;
  }

  #push(update: number): void {
    const { random } = this;
    const writing = this.machines.filter(({ run }) => run.isWriting);
    // A client with an old address reaches a node that does not write, or one that believes that it does.
    const reached = writing.length > 0 && !random.oneIn(8) ? writing : this.machines;
    const machine = reached[random.below(reached.length)] as Machine;
    const { run } = machine;
    const instrument = random.below(instruments);
    run.happens(() => {
      this.#requireRightClock(machine);
      if (random.oneIn(6)) run.settle(instrument);
      run.push(random.below(instruments), update);
    });
  }

  /** A holder measures the clock with each renewal, and stops when it cannot renew. */
  #requireRightClock({ run, clockError, clockSetAt }: Machine): void {
    const wrongForMs = this.agenda.now - Math.max(clockSetAt, run.awakeSince);
    if (!run.isWriting || clockError === 0 || wrongForMs <= claimTiming.leaseMs) return;
    throw new Violation('wrote with a wrong clock', `run ${run.id}, wrong for ${wrongForMs} ms`);
  }

  #notify(from: Database, hint: Hint, version: number): void {
    const { random, profile } = this;
    for (const { run, link } of this.machines) {
      const connection = run.keys.listening;
      if (!run.isAlive || connection?.server !== from) continue;
      const arrive = (): void => {
        link.send(connection, 'toNode', () => {
          run.happens(() => {
            run.hinted(hint, version);
          });
        });
      };
      if (!profile.badHints) {
        arrive();
        continue;
      }
      for (let times = random.below(3); times > 0; times -= 1) {
        this.agenda.after(random.oneIn(4) ? random.between(10, 900) : 0, arrive);
      }
    }
  }

  /** The machine that writes, and whose commits would be stored now. */
  #writer(): Machine | undefined {
    return this.machines.find(
      ({ run, link }) =>
        run.isWriting && !run.isFrozen && link.isUp && run.token === this.database.token,
    );
  }

  /** Checks that a node writes, or that no candidate has had enough time to begin. */
  #look(): void {
    const { now } = this.agenda;
    this.agenda.after(lookEveryMs, () => {
      this.#look();
    });
    if (!this.profile.isBounded) return;
    const forMs = now - Math.max(this.#lastWriterAt, this.#disturbedAt);
    if (this.#writer() !== undefined) {
      const { counts } = this.watch;
      if (!this.wasDeaf) counts.takeOverMsMax = Math.max(counts.takeOverMsMax, forMs);
      this.#lastWriterAt = now;
      return;
    }
    const canWrite = this.machines.some(
      ({ run, link }) => run.isAlive && !run.isFrozen && link.isUp,
    );
    const limit = this.wasDeaf ? deafTakeOverMsMax : takeOverMsMax;
    if (!this.database.isUp || !canWrite || forMs <= limit + lookEveryMs) return;
    throw new Violation('late take-over', `nobody has written for ${forMs} ms`);
  }

  #healAll(): void {
    this.trace?.('world', () => 'everything heals');
    this.isHealed = true;
    for (const machine of this.machines) machine.clockError = 0;
    // Former primaries, and a promoted one that no node has used, are gone.
    for (const server of this.servers) if (server !== this.database) server.crash();
    this.addressed = this.database;
    this.database.thaw();
    this.startDatabase();
    this.database.heal();
    for (const [index, { run, link }] of this.machines.entries()) {
      link.heal(true);
      run.thaw();
      this.restart(index);
    }
    this.disturb();
  }

  /** Every node must show what is stored. */
  #compare(): void {
    for (const { run } of this.machines) {
      for (let item = 0; item < instruments; item += 1) {
        compareItem(run, item, run.quotes.versions, this.database.versions);
        compareItem(run, item, run.keys.versions, this.database.keys.revisions);
      }
    }
  }
}

function compareItem(run: NodeRun, item: number, shown: Int32Array, stored: Int32Array): void {
  if (!run.isAlive || shown[item] === stored[item]) return;
  const detail = `node ${run.machine} shows ${shown[item]} of item ${item}, stored is ${stored[item]}`;
  throw new Violation('follower did not converge', detail);
}
