/** Limits of the work on requests. */
interface RequestQueueLimits {
  /**
   * Maximum time that requests take in one turn of the event loop, in milliseconds. Further requests
   * wait for a later turn.
   */
  readonly turnBudgetMs: number;
  /** Maximum time that a request waits, in milliseconds. Then it is shed. */
  readonly queueWaitMsMax: number;
  /** Maximum number of requests that wait. Further ones are shed at once. */
  readonly queuedMax: number;
}

/** A request that can be answered now or refused. */
export interface QueuedRequest {
  run(): void;
  /** Refuses the request, at little cost. */
  shed(): void;
}

/** What the queue reads time with, and what it is called back by; replaced in tests. */
interface QueueTools {
  /** In milliseconds of a monotonic clock. */
  readonly now: () => number;
  /** Calls back after the event loop has looked at all connections once. */
  readonly nextTurn: (work: () => void) => void;
}

interface Waiting {
  readonly since: number;
  readonly request: QueuedRequest;
}

/** The requests of one client that wait, in order of arrival. */
interface ClientQueue {
  readonly requests: Waiting[];
  /** The first one that still waits. */
  head: number;
}

/**
 * Keeps the turns of the event loop short, and shares them among clients.
 *
 * The event loop accepts one new connection a turn (libuv does). If a turn answers every request that
 * has arrived, it lasts the longer the more connections are open, and new connections wait for many
 * such turns. So requests are answered as they are read only until `turnBudgetMs` is used up. The
 * others of that turn, and all that follow while any waits, are queued by client, and the clients take
 * turns: a client that sends more than its share waits for its own requests alone.
 *
 * A request that has waited for `queueWaitMsMax` is shed. So at any load the requests that are answered
 * were read a short while ago, and the queue is empty that long after the load ends.
 */
export class RequestQueue {
  readonly #limits: RequestQueueLimits;
  readonly #tools: QueueTools;
  readonly #clients = new Map<string, ClientQueue>();
  #size = 0;
  #admitted: object | undefined;
  #isTurn = false;
  #turnBegan = 0;

  constructor(limits: RequestQueueLimits, tools: QueueTools = realTools) {
    this.#limits = limits;
    this.#tools = tools;
  }

  /** Requests that wait. */
  get size(): number {
    return this.#size;
  }

  /** The next request of a connection is answered at once: it has been let through before. */
  admit(connection: object): void {
    this.#admitted = connection;
  }

  /** Whether a request that was read just now must wait; if not, it may be answered at once. */
  mustWait(now: number, connection?: object): boolean {
    if (connection !== undefined && connection === this.#admitted) {
      this.#admitted = undefined;
      return false;
    }
    if (!this.#isTurn) {
      this.#isTurn = true;
      this.#turnBegan = now;
      this.#tools.nextTurn(this.#endTurn);
    }
    return this.#size > 0 || now - this.#turnBegan > this.#limits.turnBudgetMs;
  }

  /** Has a request wait for its turn. */
  add(client: string, request: QueuedRequest): void {
    if (this.#size >= this.#limits.queuedMax) return request.shed();
    this.#size += 1;
    const waiting = { since: this.#tools.now(), request };
    const queue = this.#clients.get(client);
    if (queue === undefined) this.#clients.set(client, { requests: [waiting], head: 0 });
    else queue.requests.push(waiting);
  }

  readonly #endTurn = (): void => {
    this.#isTurn = false;
    if (this.#size === 0) return;
    const begun = this.#tools.now();
    let now = begun;
    // Each turn serves one at least, however little time it has.
    do {
      const { since, request } = this.#takeNext();
      if (now - since > this.#limits.queueWaitMsMax) request.shed();
      else request.run();
      now = this.#tools.now();
    } while (this.#size > 0 && now - begun <= this.#limits.turnBudgetMs);
    if (this.#size > 0) this.#continue();
  };

  /** Serves in the next turn too, whether anything is read until then or not. */
  #continue(): void {
    this.#isTurn = true;
    this.#tools.nextTurn(this.#endTurn);
  }

  /** Takes the first request of the client whose turn it is; the next turn is another client's. */
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
    throw new Error('nothing waits');
  }
}

/** Lets go of requests that were taken, now and then. */
function compacted(queue: ClientQueue): ClientQueue {
  const { requests, head } = queue;
  return head < 64 || head * 2 < requests.length
    ? queue
    : { requests: requests.slice(head), head: 0 };
}

const realTools: QueueTools = {
  now: () => performance.now(),
  nextTurn: (work) => void setImmediate(work),
};
