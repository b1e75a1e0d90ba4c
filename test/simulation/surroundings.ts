import type { Agenda } from './tools/agenda.ts';
import type { Database } from './database.ts';
import type { Guards } from './guards.ts';
import type { Connection, Link } from './link.ts';
import type { Prng } from './tools/prng.ts';
import type { Profile } from './profile.ts';
import type { Trace, Watch } from './watch.ts';

/** What a run of the program sees of the world. */
export interface Surroundings {
  readonly agenda: Agenda;
  readonly random: Prng;
  readonly profile: Profile;
  readonly guards: Guards;
  readonly watch: Watch;
  readonly trace: Trace | undefined;
  /** From then on nothing fails and nothing is slow. */
  readonly isHealed: boolean;
  /** The newest server that any node has used. */
  readonly database: Database;
  link(machine: number): Link;
  rateOf(machine: number): number;
  clockOf(machine: number): number;
  skewOf(machine: number): number;
  wallOf(machine: number): number;
  /** A holder has found that it may write, and is about to. */
  decidesToWrite(run: RunningProcess, token: number): void;
  /** A run has read the quotes and begins to write. */
  opened(run: RunningProcess): void;
  /** A run has stopped as planned. */
  ended(run: RunningProcess): void;
  /** The servers that accept connections and writes, as far as the nodes have their addresses. */
  reachableServers(): readonly Database[];
  /** A node uses a server. */
  uses(server: Database): void;
  /** The lines that other nodes know, as far as they respond. */
  linesOfOthers(asking: RunningProcess): readonly number[];
  /**
   * A run accepts a response of a server: the claim, a commit, or what it shows.
   *
   * @param askedAt when the request was sent.
   */
  accepts(run: RunningProcess, from: Database, askedAt: number): void;
}

/** What the parts of a run see of it, and the world too. */
export interface RunningProcess {
  readonly id: number;
  readonly machine: number;
  /** Since when it has run without being frozen, in true milliseconds. */
  readonly awakeSince: number;
  /** Whether updates are accepted. */
  readonly isWriting: boolean;
  /** Milliseconds of the monotonic clock of this machine. */
  readonly now: number;
  /** The clock by which the holder judges its lease. */
  readonly leaseNow: number;
  readonly quotes: { suspect(): void };
  freezeFor(pauseMs: number): void;
  happens(event: () => void): void;
  after(pauseMs: number, event: () => void): void;
  connect(connection: Connection, onDone: (isOpen: boolean) => void): void;
  listensAgain(): void;
  turn(): void;
  mayEnd(): void;
  /** Sends a request to the database, and passes its response to this process. */
  ask<T>(
    connection: Connection,
    execute: (database: Database, respond: (result: T | 'failed') => void) => void,
    onResponse: (result: T | 'failed') => void,
  ): void;
  trace(text: () => string): void;
}
