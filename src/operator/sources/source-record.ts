import type { Ticker } from '../../domain/instruments/ticker.ts';
import type {
  FeedPlan,
  NetworkObserver,
  SentRequest,
} from '../../feeds/contract/network-options.ts';
import type { Clock } from '../../lib/time/clock.ts';
import { ExchangeRecord } from './exchange-record.ts';

/** What the record of a source reports while the check is under way. */
export interface SourceEvents {
  /** The poll is over. */
  readonly onPolled: () => void;
  /** A WebSocket is open. */
  readonly onOpen: () => void;
  /** Every instrument of a source over a WebSocket has a price. */
  readonly onServed: () => void;
  /** A response or a message has been read. */
  readonly onProgress: () => void;
}

/** What happened in one poll of a source, or in one connection to it. */
export class SourceRecord implements NetworkObserver {
  readonly exchanges: ExchangeRecord[] = [];
  /** Undefined until the feed begins, and for a feed that takes no instrument. */
  plan: FeedPlan | undefined;
  readonly #clock: Clock;
  readonly #keepsBodies: boolean;
  readonly #events: SourceEvents;
  readonly #served = new Set<Ticker>();

  constructor(options: {
    readonly clock: Clock;
    readonly keepsBodies: boolean;
    readonly events: SourceEvents;
  }) {
    this.#clock = options.clock;
    this.#keepsBodies = options.keepsBodies;
    this.#events = options.events;
  }

  begins(plan: FeedPlan): void {
    this.plan = plan;
  }

  exchange(sent: SentRequest): ExchangeRecord {
    const record = new ExchangeRecord(sent, {
      clock: this.#clock,
      keepsBodies: this.#keepsBodies,
      onEvent: (one) => this.#follow(one),
    });
    this.exchanges.push(record);
    return record;
  }

  polled(): void {
    this.#events.onPolled();
  }

  #follow({ request, status, isMapped, ages }: ExchangeRecord): void {
    this.#events.onProgress();
    if (request.kind !== 'socket') return;
    if (!isMapped) {
      if (status === 101) this.#events.onOpen();
      return;
    }
    for (const ticker of ages.keys()) this.#served.add(ticker);
    if (this.#served.size >= (this.plan?.tickers.size ?? Infinity)) this.#events.onServed();
  }
}
