import type { Clock } from '../../../lib/time/clock.ts';
import type { RequestHandler } from '../../handler/request-handler.ts';
import type { StopPhase } from '../../handler/stop-phase.ts';
import type { CarrierLimits } from './transport.ts';

/**
 * Up to this much of the time between two looks at the clock counts as waiting, in milliseconds. A turn
 * under load is much shorter. A longer time is that of a process that was suspended.
 */
const countedMsMax = 100;

/** Limits of the work on requests. */
type RequestQueueLimits = Pick<CarrierLimits, 'turnBudgetMs' | 'queueWaitMsMax' | 'queuedMax'>;

/** A request that waits: the queue calls one of the two functions. */
export interface QueuedRequest {
  /** Answers the request. */
  run(): void;
  /** Refuses the request, at little cost. */
  shed(): void;
}

/** The clock and the event loop. Tests replace them. */
interface QueueTools {
  /** In milliseconds of a monotonic clock. */
  readonly now: () => number;
  /** Calls back after the event loop has checked all connections once. */
  readonly nextTurn: (work: () => void) => void;
}

/** A turn of the event loop in which requests were read. */
interface Turn {
  /** How long the queue had worked when it ended and its requests began to wait; undefined while it lasts. */
  endedAt: number | undefined;
}

interface Waiting {
  readonly readIn: Turn;
  readonly request: QueuedRequest;
}

/** The requests of one client that wait, in order of arrival. */
interface ClientQueue {
  readonly requests: Waiting[];
  /** The index of the first request that still waits. */
  head: number;
}

/**
 * Keeps the turns of the event loop short, and shares them among clients.
 *
 * The event loop of libuv accepts one new connection in a turn. If a turn answered every request that
 * has arrived, its length would grow with the number of connections, and new connections would wait for
 * many such turns. So requests are answered as they are read only until `turnBudgetMs` is used up. The
 * other requests of that turn are queued by client, and so are all that follow while any request waits.
 * The clients take turns: a client that sends more than its share waits only for its own requests, and
 * when the queue is full only its own are shed.
 *
 * A request that has waited for `queueWaitMsMax` is shed. So at any load the requests that are answered
 * are recent, and the queue is empty shortly after the load ends. The wait begins at the end of the turn
 * in which the request was read, and a suspension of the process counts little of it: a process that was
 * suspended for seconds is not saturated, and sheds nothing.
 */
export class RequestQueue {
  readonly #limits: RequestQueueLimits;
  readonly #tools: QueueTools;
  readonly #clients = new Map<string, ClientQueue>();
  #size = 0;
  #isHeld = false;
  #isTurn = false;
  #turnBegan = 0;
  #turn: Turn = { endedAt: undefined };
  #clockMs = 0;
  /** The time for which the queue has worked, without suspensions, in milliseconds. */
  #workedMs = 0;

  constructor(limits: RequestQueueLimits, tools: QueueTools) {
    this.#limits = limits;
    this.#tools = tools;
  }

  /** The number of requests that wait. */
  get size(): number {
    return this.#size;
  }

  /** Whether a request that was read just now must wait. If not, it may be answered at once. */
  mustWait(now: number): boolean {
    if (!this.#isTurn) {
      this.#isTurn = true;
      this.#turnBegan = now;
      this.#tools.nextTurn(this.#endTurn);
    }
    return this.#isHeld || this.#size > 0 || now - this.#turnBegan > this.#limits.turnBudgetMs;
  }

  /** From now on every request waits, until {@link release}. */
  hold(): void {
    this.#isHeld = true;
  }

  /** Ends {@link hold}. The requests that waited are served in the next turns. */
  release(): void {
    this.#isHeld = false;
    if (this.#size > 0 && !this.#isTurn) this.#continue();
  }

  /** Adds a request that must wait. */
  add(client: string, request: QueuedRequest): void {
    const queue = this.#clients.get(client);
    if (this.#size >= this.#limits.queuedMax) {
      const heaviest = this.#heavierThan(queue);
      if (heaviest === undefined) return request.shed();
      this.#size -= 1;
      heaviest.requests.pop()?.request.shed();
    }
    this.#size += 1;
    const waiting = { readIn: this.#turn, request };
    if (queue === undefined) this.#clients.set(client, { requests: [waiting], head: 0 });
    else queue.requests.push(waiting);
  }

  /**
   * The client with the most waiting requests, if it has at least two more than this one. All are compared
   * only for a client with less than its share, so a client that floods the queue costs little.
   */
  #heavierThan(queue: ClientQueue | undefined): ClientQueue | undefined {
    const own = queue === undefined ? 0 : waitingIn(queue);
    const clients = this.#clients.size + (queue === undefined ? 1 : 0);
    if ((own + 1) * clients > this.#size) return undefined;
    let heaviest: ClientQueue | undefined;
    for (const one of this.#clients.values()) {
      if (heaviest === undefined || waitingIn(one) > waitingIn(heaviest)) heaviest = one;
    }
    return heaviest !== undefined && waitingIn(heaviest) > own + 1 ? heaviest : undefined;
  }

  readonly #endTurn = (): void => {
    this.#isTurn = false;
    if (this.#size === 0 || this.#isHeld) return;
    const begun = this.#look();
    this.#turn.endedAt = this.#workedMs;
    this.#turn = { endedAt: undefined };
    let now = begun;
    // Each turn serves at least one, however little time it has.
    do {
      const { readIn, request } = this.#takeNext();
      const waitedMs = this.#workedMs - (readIn.endedAt ?? this.#workedMs);
      if (waitedMs > this.#limits.queueWaitMsMax) request.shed();
      else request.run();
      now = this.#look();
    } while (this.#size > 0 && now - begun <= this.#limits.turnBudgetMs);
    if (this.#size > 0) this.#continue();
  };

  /** Looks at the clock, and counts the time since the last look. */
  #look(): number {
    const now = this.#tools.now();
    this.#workedMs += Math.min(now - this.#clockMs, countedMsMax);
    this.#clockMs = now;
    return now;
  }

  /** Serves in the next turn too, whether or not a request is read until then. */
  #continue(): void {
    this.#isTurn = true;
    this.#tools.nextTurn(this.#endTurn);
  }

  /** Takes the first request of the client whose turn it is. The next turn is another client's. */
  #takeNext(): Waiting {
    for (const [client, queue] of this.#clients) {
      const waiting = queue.requests[queue.head];
      queue.head += 1;
      this.#clients.delete(client);
      if (waiting === undefined) continue;
      this.#size -= 1;
      if (queue.head < queue.requests.length) this.#clients.set(client, compacted(queue));
      return waiting;
    }
    throw new Error('no request waits');
  }
}

function waitingIn({ requests, head }: ClientQueue): number {
  return requests.length - head;
}

/** Drops requests that were taken from the list, when they are the larger part of it. */
function compacted(queue: ClientQueue): ClientQueue {
  const { requests, head } = queue;
  return head < 64 || head * 2 < requests.length
    ? queue
    : { requests: requests.slice(head), head: 0 };
}

/** The tools of a running service. */
export function queueTools(clock: Clock): QueueTools {
  return { now: () => clock.monotonic(), nextTurn: (work) => void setImmediate(work) };
}

/** What a carrier works with. */
export interface CarrierParts {
  readonly limits: CarrierLimits;
  readonly clock: Clock;
  readonly phase: StopPhase;
  /** The handler in force. */
  readonly handler: () => RequestHandler;
  /** Absent where every request is answered at once. */
  readonly queue: RequestQueue | undefined;
}
