import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net';

import { once } from '../../support/wait.ts';

/** What happens to the bytes of one direction. What is dropped once makes a connection half-open for ever. */
export type Passage = 'pass' | 'drop';

/** The statement that stores quotes, as its name appears in each request of the protocol. */
const commitName = Buffer.from('\0commit-quotes\0');
/** Pause between two looks for the response to a held commit, in milliseconds. */
const lookPauseMs = 10;

/** A commit that the proxy holds back. */
export interface HeldCommit {
  /** Resolves when a commit is held. */
  readonly caught: Promise<void>;
  /** Sends the commit on, whatever has become of its client. Resolves with whether it was stored. */
  release(): Promise<boolean>;
}

interface Pair {
  readonly node: Socket;
  readonly database: Socket;
  readonly isDead: { toDatabase: boolean; toNode: boolean };
  held: Buffer[] | undefined;
  /** What the database sends after the held commit. */
  response: Buffer | undefined;
}

/**
 * The network between one node and one database server. It can lose what is sent, without any reset, in
 * one direction or both; and hold back the bytes of a commit, which the node has sent already.
 */
export class DatabaseProxy implements AsyncDisposable {
  readonly port: number;
  #toDatabase: Passage = 'pass';
  #toNode: Passage = 'pass';
  readonly #server: Server;
  readonly #target: number;
  readonly #pairs = new Set<Pair>();
  #onCommit: ((pair: Pair) => void) | undefined;

  private constructor(server: Server, target: number) {
    this.#server = server;
    this.port = (server.address() as AddressInfo).port;
    this.#target = target;
    server.on('connection', (socket) => {
      this.#open(socket);
    });
  }

  static async start(target: number): Promise<DatabaseProxy> {
    const server = createServer({ pauseOnConnect: true }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    return new DatabaseProxy(server, target);
  }

  /** Loses what is sent from now on. */
  cut({ toDatabase = 'pass', toNode = 'pass' }: { toDatabase?: Passage; toNode?: Passage }): void {
    this.#toDatabase = toDatabase;
    this.#toNode = toNode;
  }

  /** New connections work again. Connections that have lost bytes stay half-open. */
  heal(): void {
    this.cut({});
  }

  /** Holds back the next commit of quotes, and everything else that its connection sends after it. */
  holdNextCommit(): HeldCommit {
    let held: Pair | undefined;
    const caught = new Promise<void>((resolve) => {
      this.#onCommit = (pair) => {
        this.#onCommit = undefined;
        held = pair;
        pair.held = [];
        resolve();
      };
    });
    return {
      caught,
      release: async () => {
        if (held === undefined) throw new Error('no commit is held');
        return this.#release(held);
      },
    };
  }

  /** Closes all connections, which both ends notice. */
  reset(): void {
    for (const { node, database } of this.#pairs) {
      node.destroy();
      database.destroy();
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.reset();
    this.#server.close();
    await once(this.#server, 'close');
  }

  #open(node: Socket): void {
    // A request to connect that is lost gets no response at all.
    if (this.#toDatabase === 'drop' || this.#toNode === 'drop') {
      node.on('error', () => node.destroy());
      node.resume();
      return;
    }
    const database = connect(this.#target, '127.0.0.1');
    const pair: Pair = {
      node,
      database,
      isDead: { toDatabase: false, toNode: false },
      held: undefined,
      response: undefined,
    };
    this.#pairs.add(pair);
    node.on('data', (bytes: Buffer) => {
      this.#fromNode(pair, bytes);
    });
    database.on('data', (bytes: Buffer) => {
      this.#fromDatabase(pair, bytes);
    });
    // A close is news, too: it does not cross a cut, and it waits behind a commit that is held.
    node.once('close', () => {
      if (pair.held === undefined && !this.#isLost(pair, 'toDatabase')) database.destroy();
    });
    database.once('close', () => {
      if (!this.#isLost(pair, 'toNode')) node.destroy();
      this.#pairs.delete(pair);
    });
    node.on('error', () => undefined);
    database.on('error', () => undefined);
    node.resume();
  }

  #isLost(pair: Pair, direction: 'toDatabase' | 'toNode'): boolean {
    const passage = direction === 'toDatabase' ? this.#toDatabase : this.#toNode;
    if (passage === 'drop') pair.isDead[direction] = true;
    return pair.isDead[direction];
  }

  #fromNode(pair: Pair, bytes: Buffer): void {
    if (pair.held === undefined && this.#onCommit !== undefined && bytes.includes(commitName)) {
      this.#onCommit(pair);
    }
    if (pair.held !== undefined) pair.held.push(bytes);
    else if (!this.#isLost(pair, 'toDatabase')) pair.database.write(bytes);
  }

  #fromDatabase(pair: Pair, bytes: Buffer): void {
    if (pair.response !== undefined) pair.response = Buffer.concat([pair.response, bytes]);
    if (!this.#isLost(pair, 'toNode')) pair.node.write(bytes);
  }

  async #release(pair: Pair): Promise<boolean> {
    pair.response = Buffer.alloc(0);
    for (const bytes of pair.held ?? []) pair.database.write(bytes);
    pair.held = undefined;
    for (let waited = 0; waited < 5_000; waited += lookPauseMs) {
      const passes = passesIn(pair.response);
      if (passes !== undefined) {
        if (pair.node.destroyed) pair.database.destroy();
        return passes;
      }
      await new Promise((resolve) => {
        setTimeout(resolve, lookPauseMs);
      });
    }
    throw new Error('the database did not respond to the commit that was held');
  }
}

/**
 * Whether the first row of a response says that a commit passed the fence; undefined before there is a row.
 * A row is `D`, its length, the number of columns, then length and bytes of each column.
 */
function passesIn(response: Buffer): boolean | undefined {
  let at = 0;
  while (at + 5 <= response.length) {
    const length = response.readInt32BE(at + 1);
    if (at + 1 + length > response.length) return undefined;
    if (response[at] === 0x44) {
      const columnLength = response.readInt32BE(at + 7);
      const column = response.subarray(at + 11, at + 11 + columnLength);
      return column.some((byte) => byte !== 0 && byte !== 0x30);
    }
    if (response[at] === 0x45) {
      throw new Error(`the database refused the held commit: ${response.toString('latin1')}`);
    }
    at += 1 + length;
  }
  return undefined;
}
