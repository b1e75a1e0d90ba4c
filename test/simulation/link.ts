import type { Agenda } from './tools/agenda.ts';
import type { Database } from './database.ts';
import type { Prng } from './tools/prng.ts';

export type Direction = 'toDatabase' | 'toNode';

/** One connection of a node. What is sent in one direction arrives in its order, or not at all. */
export class Connection {
  /** The server at the other end, once the connection is established. */
  server: Database | undefined;
  /** A direction in which bytes were lost. The other end does not notice: the connection is half-open. */
  readonly isDead = { toDatabase: false, toNode: false };
  readonly lastAt = { toDatabase: 0, toNode: 0 };
}

interface Held {
  readonly connection: Connection;
  readonly direction: Direction;
  readonly arrive: () => void;
}

/** The network between one node and the database. Each direction can be cut. */
export class Link {
  readonly isCut = { toDatabase: false, toNode: false };
  /** Whether what is sent into the cut is delivered when it heals, as TCP does for a while, or lost. */
  isRetransmitted = false;
  #held: Held[] = [];
  readonly #agenda: Agenda;
  readonly #random: Prng;
  #isSlow: boolean;

  constructor(agenda: Agenda, random: Prng, isSlow: boolean) {
    this.#agenda = agenda;
    this.#random = random;
    this.#isSlow = isSlow;
  }

  get isUp(): boolean {
    return !this.isCut.toDatabase && !this.isCut.toNode;
  }

  send(connection: Connection, direction: Direction, arrive: () => void): void {
    if (connection.isDead[direction]) return;
    if (this.isCut[direction]) {
      if (this.isRetransmitted) this.#held.push({ connection, direction, arrive });
      else connection.isDead[direction] = true;
      return;
    }
    const { now } = this.#agenda;
    const at = Math.max(now + this.#delayMs(), connection.lastAt[direction]);
    connection.lastAt[direction] = at;
    this.#agenda.after(at - now, arrive);
  }

  heal(isForGood: boolean): void {
    if (isForGood) this.#isSlow = false;
    this.isCut.toDatabase = false;
    this.isCut.toNode = false;
    const held = this.#held;
    this.#held = [];
    for (const { connection, direction, arrive } of held) this.send(connection, direction, arrive);
  }

  #delayMs(): number {
    const random = this.#random;
    if (this.#isSlow && random.oneIn(24)) return random.between(20, 1_600);
    return random.between(1, 4);
  }
}
