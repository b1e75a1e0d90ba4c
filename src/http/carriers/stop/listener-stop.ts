import { once } from 'node:events';
import type { Server } from 'node:http';
import { Server as NetServer, type Socket } from 'node:net';
import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises';

import type { Clock } from '../../../lib/time/clock.ts';
import type { StopPhase } from '../../handler/stop-phase.ts';
import type { CarrierLimits } from '../connection/transport.ts';

/** How many times within `drainIdleMs` connections are checked for being idle. */
const checksPerIdleTime = 10;

/** Limits of the time between two such checks, in milliseconds. */
const checkMsMin = 10;
const checkMsMax = 100;

/**
 * Time in which no request is answered before the listening socket is closed, and again after it, in
 * milliseconds. By then a client that got a response with `Connection: close` has opened its next
 * connection.
 */
const holdMs = 50;

/** Maximum number of turns of the event loop in which the accept queue is emptied before closing. */
const acceptTurnsMax = 10_000;

/** What a listener stops besides Node's own connections. */
interface StoppedParts {
  /** Lets requests wait, until {@link release}. */
  hold(): void;
  release(): void;
  /** Whether requests that were read wait for their turn. */
  hasWaiting(): boolean;
  /** Announces the end of connections that stay open after a response. */
  drain(): void;
  /** Closes the connections that have been idle for `drainIdleMs`. */
  closeIdle(): void;
  /** Closes every connection, whatever is under way. */
  destroyAll(): void;
}

/**
 * Stops a listener without failing a request (contract 7.2).
 *
 * 1. {@link drain}: from then on every response closes its connection, also the pending ones. Nothing
 *    else changes, so requests that are on their way are answered.
 * 2. After `drainIdleMs` the listening socket is closed, once its accept queue is empty: the kernel
 *    resets the connections that wait in it. Requests are held shortly before, because each response
 *    makes its client open another connection. They are held until all processes that listen on the port
 *    have closed their sockets, because the system gives that connection to any of them. Connections that
 *    have been idle for `drainIdleMs` are closed.
 * 3. After another `drainIdleMs` no request is on its way any more. One that still comes gets 503.
 * 4. `drainMs` after the first step all other connections are closed.
 *
 * The times count for requests that have arrived, not for those that have been read: after a suspension
 * of the process, what arrived meanwhile is read before a connection counts as idle.
 */
export class ListenerStop {
  readonly #server: Server;
  readonly #limits: Pick<CarrierLimits, 'drainIdleMs' | 'drainMs'>;
  readonly #phase: StopPhase;
  readonly #parts: StoppedParts;
  readonly #idle: IdleConnections;
  readonly #meetAt: MeetAt;
  #isListening = true;
  #stopped: Promise<void> | undefined;

  constructor(
    server: Server,
    own: {
      readonly limits: Pick<CarrierLimits, 'drainIdleMs' | 'drainMs'>;
      readonly clock: Clock;
      readonly phase: StopPhase;
      readonly parts: StoppedParts;
      /** Absent if only this process listens on the port. */
      readonly meetAt: MeetAt | undefined;
    },
  ) {
    this.#server = server;
    this.#limits = own.limits;
    this.#phase = own.phase;
    this.#parts = own.parts;
    this.#meetAt = own.meetAt ?? (async () => undefined);
    this.#idle = new IdleConnections(server, {
      idleMs: own.limits.drainIdleMs,
      clock: own.clock,
    });
  }

  /** The first step. */
  drain(): void {
    if (this.#phase.isDraining) return;
    this.#phase.drain();
    this.#parts.drain();
  }

  /** All steps. Resolves when no connection is open. */
  stop(): Promise<void> {
    this.#stopped ??= this.#stop();
    return this.#stopped;
  }

  async #stop(): Promise<void> {
    const server = this.#server;
    if (!server.listening) return;
    this.drain();
    const { drainIdleMs, drainMs } = this.#limits;
    const cut = setTimeout(() => this.#parts.destroyAll(), drainMs);
    const checkMs = Math.min(checkMsMax, Math.max(checkMsMin, drainIdleMs / checksPerIdleTime));
    const checking = setInterval(() => afterReading(() => this.#check()), checkMs);
    this.#idle.look();
    await sleep(Math.min(drainIdleMs, drainMs));
    this.#parts.hold();
    await this.#meetAt('held');
    const heldMs = Math.min(holdMs, drainIdleMs);
    await sleep(heldMs);
    await emptyAcceptQueue(server);
    const closed = once(server, 'close');
    // This must follow the emptying of the accept queue at once, so that no connection arrives in between.
    // `server.close` would close idle connections first.
    NetServer.prototype.close.call(server);
    this.#isListening = false;
    void this.#release(heldMs);
    const refusing = setTimeout(() => this.#refuse(), drainIdleMs);
    this.#parts.closeIdle();
    server.close();
    await closed;
    clearInterval(checking);
    clearTimeout(refusing);
    clearTimeout(cut);
  }

  async #release(heldMs: number): Promise<void> {
    await this.#meetAt('closed');
    await sleep(heldMs);
    this.#parts.release();
  }

  /** Takes the third step, when every request that arrived before it has been admitted. */
  #refuse(): void {
    afterReading(() => {
      if (this.#parts.hasWaiting()) this.#refuse();
      else this.#phase.close();
    });
  }

  #check(): void {
    if (this.#isListening) return this.#idle.look();
    this.#parts.closeIdle();
    this.#idle.close();
  }
}

/**
 * Calls back when the event loop has read what has arrived. It runs timers before it reads, so a timer
 * that is late would take a connection with an unread request for an idle one.
 */
function afterReading(work: () => void): void {
  setImmediate(work);
}

/** Waits until a turn of the event loop accepts no connection. A turn accepts at most one. */
async function emptyAcceptQueue(server: Server): Promise<void> {
  let accepted = true;
  const note = (): void => {
    accepted = true;
  };
  server.on('connection', note);
  for (let turn = 0; accepted && turn < acceptTurnsMax; turn += 1) {
    accepted = false;
    // The first one ends the current turn, the second one a turn that has checked the socket.
    await nextTurn();
    await nextTurn();
  }
  server.off('connection', note);
}

/** When a connection last carried a byte, as of the last {@link IdleConnections.look}. */
interface Activity {
  bytes: number;
  since: number;
}

/**
 * Closes the idle connections of a server that stops, and no others.
 *
 * Node's `closeIdleConnections` destroys every connection without a request under way. A request that
 * the client has just sent is lost with it, and so is a response that the client has not read to its
 * end. Once constructed, `closeIdleConnections` of this server leaves out connections that carried a
 * byte within `idleMs`, and closes one with an unread response when its last byte has been sent.
 */
class IdleConnections {
  readonly #open = new Map<Socket, Activity>();
  readonly #idleMs: number;
  readonly #clock: Clock;
  readonly #closeIdle: () => void;

  constructor(
    server: Server,
    { idleMs, clock }: { readonly idleMs: number; readonly clock: Clock },
  ) {
    this.#idleMs = idleMs;
    this.#clock = clock;
    const note = (socket: Socket): void => {
      this.#open.set(socket, { bytes: 0, since: clock.monotonic() });
      socket.once('close', () => this.#open.delete(socket));
    };
    server.on('connection', note);
    server.on('secureConnection', note);
    this.#closeIdle = server.closeIdleConnections.bind(server);
    server.closeIdleConnections = () => this.close();
  }

  /** Notes which connections have carried bytes since the last look. */
  look(): void {
    const now = this.#clock.monotonic();
    for (const [socket, activity] of this.#open) {
      const bytes = socket.bytesRead + socket.bytesWritten;
      if (bytes === activity.bytes) continue;
      activity.bytes = bytes;
      activity.since = now;
    }
  }

  /** Closes the connections that have been idle for long enough. */
  close(): void {
    this.look();
    const now = this.#clock.monotonic();
    const spared: Socket[] = [];
    for (const [socket, { since }] of this.#open) {
      const isIdle = now - since >= this.#idleMs;
      if (isIdle && socket.bytesRead === 0) socket.destroy();
      if (isIdle && socket.writableLength === 0) continue;
      spared.push(socket);
      // Only Node knows which connections have no request under way. It calls this on those.
      socket.destroy = () => {
        Reflect.deleteProperty(socket, 'destroy');
        if (isIdle) socket.destroySoon();
        return socket;
      };
    }
    this.#closeIdle();
    for (const socket of spared) Reflect.deleteProperty(socket, 'destroy');
  }
}

/**
 * The steps of a stop that processes on one port take together: `held`, no request is answered; `closed`, the
 * listening socket is closed.
 */
export type StopStep = 'held' | 'closed';

/** Resolves when the other processes that listen on the port have reached a step, too. */
export type MeetAt = (step: StopStep) => Promise<void>;
