import { Violation } from './violation.ts';

/** Receives what happens, by whom. */
export type Trace = (who: string, text: () => string) => void;

export const instruments = 3;
const versionsMax = 256;

/** The quote of one instrument in a commit. `folded` has a bit for each update that the quote contains. */
export interface Row {
  readonly instrument: number;
  readonly version: number;
  readonly folded: number;
  /** What the quote stores and does not show. It also rises while the version stays the same. */
  readonly hidden: number;
}

/** What happened in histories, to show that they reach what they are meant to test. */
export class Counts {
  histories = 0;
  events = 0;
  grants = 0;
  commits = 0;
  fencedCommits = 0;
  expiredLeases = 0;
  staleRows = 0;
  acknowledged = 0;
  takeOvers = 0;
  takeOverMsMax = 0;
  handOvers = 0;
  handOverMsMax = 0;
  /** Former primaries that accepted writes again. */
  forks = 0;
  /** Histories that ended because nobody could know of the newer line. */
  torn = 0;

  add(other: Readonly<Counts>): void {
    for (const key of Object.keys(other) as (keyof CountValues)[]) {
      const [mine, theirs] = [this[key], other[key]];
      this[key] = key.endsWith('Max') ? Math.max(mine, theirs) : mine + theirs;
    }
  }
}

type CountValues = Omit<Counts, 'add'>;

/** Sees everything that happens, which no node does, and throws a {@link Violation}. */
export class Watch {
  readonly counts: Counts;
  readonly #acknowledged = new Int32Array(instruments);
  /** The version, and of this version the hidden part, that was acknowledged last. */
  readonly #version = new Int32Array(instruments);
  readonly #hidden = new Int32Array(instruments);
  readonly #instrumentOf = new Int8Array(versionsMax).fill(-1);
  readonly #foldedOf = new Int32Array(versionsMax);
  /** The version that readers of a node saw last, by node and instrument. */
  readonly #shown: Int32Array;
  readonly #shownKeys: Int32Array;
  #lastToken = 0;
  #lastHolder = -1;

  constructor(nodes: number, counts: Counts) {
    this.counts = counts;
    this.#shown = new Int32Array(nodes * instruments);
    this.#shownKeys = new Int32Array(nodes * instruments);
  }

  /** A commit is about to become visible. */
  commits(holder: number, token: number, rows: readonly Row[]): void {
    this.counts.commits += 1;
    if (holder !== this.#lastHolder && token <= this.#lastToken) {
      throw new Violation(
        'two writers',
        `run ${holder} stores with token ${token}, after run ${this.#lastHolder} with ${this.#lastToken}`,
      );
    }
    this.#lastHolder = holder;
    this.#lastToken = Math.max(token, this.#lastToken);
    for (const { instrument, version, folded } of rows) {
      if (this.#instrumentOf[version] === -1) {
        this.#instrumentOf[version] = instrument;
        this.#foldedOf[version] = folded;
      } else if (this.#instrumentOf[version] !== instrument || this.#foldedOf[version] !== folded) {
        throw new Violation('version assigned twice', `version ${version}`);
      }
    }
  }

  /** A quote is stored. */
  stored({ instrument, version, folded, hidden }: Row): void {
    const acknowledged = this.#acknowledged[instrument] as number;
    if ((folded & acknowledged) !== acknowledged) {
      throw new Violation(
        'acknowledged update lost',
        `instrument ${instrument}, version ${version}: ${(acknowledged & ~folded).toString(2)}`,
      );
    }
    const known = this.#version[instrument] as number;
    const isOlder =
      version < known || (version === known && hidden < (this.#hidden[instrument] as number));
    if (isOlder) {
      throw new Violation(
        'stored quote went back',
        `instrument ${instrument}: version ${version}, hidden part ${hidden}`,
      );
    }
  }

  /** The writer acknowledges updates, and `now` is what the database contains. */
  acknowledges(updates: number, now: Row): void {
    const { instrument } = now;
    this.counts.acknowledged += 1;
    this.#acknowledged[instrument] = (this.#acknowledged[instrument] as number) | updates;
    this.stored(now);
  }

  /** The writer knows that a row is stored, and `now` is what the database contains. */
  knowsStored({ instrument, version, hidden }: Row, now: Row): void {
    this.#version[instrument] = version;
    this.#hidden[instrument] = hidden;
    this.stored(now);
  }

  /** Readers of a node see a quote from now on. */
  shows(node: number, instrument: number, version: number): void {
    this.#advance(this.#shown, node, instrument, version);
  }

  showsKey(node: number, key: number, revision: number): void {
    this.#advance(this.#shownKeys, node, key, revision);
  }

  #advance(shown: Int32Array, node: number, item: number, version: number): void {
    const at = node * instruments + item;
    if (version < (shown[at] as number)) {
      throw new Violation(
        'follower went back',
        `node ${node}, item ${item}: ${version} after ${shown[at]}`,
      );
    }
    shown[at] = version;
  }
}
