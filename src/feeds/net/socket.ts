import type { Instrument } from '../../domain/instruments/instrument.ts';
import { sourceOf, type FeedConfig, type FeedDeps, type FeedType } from '../contract/feed-type.ts';
import type { FeedBatch, FeedMessage } from '../contract/feed.ts';
import { usualSocketLimits, type SocketLimits } from '../contract/network.ts';
import { selectInstruments, tickersOf, type Offer } from '../contract/select-instruments.ts';
import { Arrivals } from './arrivals.ts';
import { emptyFeed } from './empty-feed.ts';
import {
  openConnection,
  type ConnectionDeps,
  type ConnectionOptions,
  type SocketConnection,
} from './socket-connection.ts';
import { UpdateBuffer } from './update-buffer.ts';

/**
 * The minimum time between two planned connections that failed or that the source announced to end, in
 * milliseconds.
 */
const replacementPauseMs = 60_000;

/** The share of the lifetime by which it is shortened at random, so that instances spread out. */
const lifetimeJitterPart = 0.1;

/** What a message means. */
export interface SocketMessage extends FeedMessage {
  /** The source announced that it closes the connection soon: it is replaced now. */
  readonly closesSoon?: boolean;
}

/** How a source is connected to over a WebSocket. */
export interface SocketOptions extends ConnectionOptions {
  /**
   * Gives a message its meaning.
   *
   * @throws FeedFault when the message ends the connection: a rejected key, a limit. A message that
   *   is merely not understood is a rejection.
   */
  readonly map: (text: string) => SocketMessage;
}

/** What a socket is built from. */
export interface SocketDeps extends ConnectionDeps {
  readonly random: () => number;
}

/**
 * Connects to a source, and yields what it sends until the signal aborts. While a batch is being
 * stored, further updates are conflated, so memory is bounded and the newest price is always known. The
 * first message after a pause is yielded at once; then batches are `batchEveryMs` apart.
 *
 * A connection lives as follows: it opens within the handshake limit and subscribes; when it is idle,
 * it is checked with a ping; at the end of its lifetime, or when the source announces its end, a new
 * connection is opened and subscribed before the old one is closed. A connection that is lost is a
 * fault. What it had sent before is yielded first.
 */
export async function* socketBatches(
  options: SocketOptions,
  deps: SocketDeps,
  signal: AbortSignal,
): AsyncGenerator<FeedBatch, void, undefined> {
  const session = new SocketSession(options, deps, signal);
  try {
    await session.open();
    for (;;) yield await session.next();
  } catch (fault) {
    if (!signal.aborted) throw fault;
  } finally {
    session.close();
  }
}

/** What a source that sends over a WebSocket declares: its configuration, its instruments, and its connection. */
interface SocketDeclaration<Config extends FeedConfig> extends Pick<
  FeedType<Config>,
  'type' | 'schema' | 'createHistory' | 'files'
> {
  readonly offers: Offer;
  /** Those that differ from the usual ones. */
  readonly limits?: Partial<SocketLimits>;
  /** How the source sends the instruments that are taken from it, in the order of the universe. */
  readonly open: (
    instruments: readonly Instrument[],
    config: Config,
    deps: FeedDeps,
  ) => Omit<SocketOptions, 'limits'>;
}

/** The type of a feed that receives updates over a WebSocket. Without instruments, it does not connect, and ends. */
export function socketType<Config extends FeedConfig>({
  offers,
  limits: own,
  open,
  ...type
}: SocketDeclaration<Config>): FeedType<Config> {
  return {
    ...type,
    create(config, deps) {
      const instruments = selectInstruments(offers, { universe: deps.universe, config });
      if (instruments.length === 0) return emptyFeed(config, deps);
      const tickers = tickersOf(instruments);
      const limits = { ...usualSocketLimits, ...own, ...deps.socketLimits };
      const options = { ...open(instruments, config, deps), limits };
      return {
        ...sourceOf(config),
        tickers,
        batches(signal) {
          deps.network?.observer?.begins({ tickers, kind: 'socket', paths: 1 });
          return socketBatches(options, deps, signal);
        },
      };
    },
  };
}

/** The connection in use, its replacement while one is opened, and what has been received. */
class SocketSession {
  readonly #options: SocketOptions;
  readonly #deps: SocketDeps;
  readonly #ended: AbortController;
  readonly #signal: AbortSignal;
  readonly #buffer = new UpdateBuffer();
  readonly #arrivals = new Arrivals();
  #current: SocketConnection | undefined;
  #isReplacing = false;
  /** When the last batch was yielded, on the monotonic clock. */
  #yieldedAt = -Infinity;
  /** When the connection in use was opened as a replacement, on the monotonic clock. */
  #replacedAt = -Infinity;

  constructor(options: SocketOptions, deps: SocketDeps, signal: AbortSignal) {
    this.#options = options;
    this.#deps = deps;
    this.#ended = new AbortController();
    this.#signal = AbortSignal.any([signal, this.#ended.signal]);
  }

  async open(): Promise<void> {
    this.#use(await this.#connect());
  }

  /** The next batch as soon as there is one and it is due. @throws the fault of the connection. */
  async next(): Promise<FeedBatch> {
    await this.#arrivals.ready(this.#signal);
    await this.#untilDue();
    return { updates: this.#buffer.take(), rejected: this.#arrivals.takeRejected() };
  }

  /** Waits for the time at which the next batch may be yielded. */
  async #untilDue(): Promise<void> {
    const { clock } = this.#deps;
    const waitMs = this.#yieldedAt + this.#options.limits.batchEveryMs - clock.monotonic();
    if (waitMs > 0) await this.#pause(waitMs);
    this.#yieldedAt = clock.monotonic();
  }

  close(): void {
    this.#ended.abort();
    this.#current?.close();
  }

  #connect(): Promise<SocketConnection> {
    return openConnection(this.#options, this.#deps, {
      signal: this.#signal,
      onMessage: (text, connection) => this.#receive(text, connection),
      onLost: (connection, fault) => {
        if (connection === this.#current) this.#arrivals.fail(fault);
      },
    });
  }

  #use(connection: SocketConnection): void {
    const old = this.#current;
    this.#current = connection;
    old?.close();
    if (connection.lost !== undefined) this.#arrivals.fail(connection.lost);
    void this.#watchLifetime(connection);
  }

  async #watchLifetime(connection: SocketConnection): Promise<void> {
    const { limits } = this.#options;
    const lifetimeMs = limits.lifetimeMs * (1 - lifetimeJitterPart * this.#deps.random());
    await this.#pause(lifetimeMs);
    if (connection === this.#current) await this.#replace();
  }

  /** A source that announces its end on every connection must not be connected to in a loop. */
  #replaceSoon(): void {
    const age = this.#deps.clock.monotonic() - this.#replacedAt;
    if (age > replacementPauseMs) void this.#replace();
  }

  /** Opens a new connection beside the old one. The old one is used until the new one is open. */
  async #replace(): Promise<void> {
    if (this.#isReplacing) return;
    this.#isReplacing = true;
    while (!this.#signal.aborted) {
      try {
        this.#use(await this.#connect());
        this.#replacedAt = this.#deps.clock.monotonic();
        break;
      } catch {
        // The old connection still works. When it is lost, the supervisor reports the fault.
        await this.#pause(replacementPauseMs);
      }
    }
    this.#isReplacing = false;
  }

  #receive(text: string, { observer }: SocketConnection): void {
    observer?.received(text);
    try {
      const message = this.#options.map(text);
      observer?.mapped(message);
      const { updates, rejected, closesSoon } = message;
      for (const update of updates) this.#buffer.add(update);
      this.#arrivals.reject(rejected);
      if (closesSoon === true) this.#replaceSoon();
    } catch (fault) {
      observer?.misunderstood(fault);
      this.#arrivals.fail(fault);
    }
  }

  async #pause(ms: number): Promise<void> {
    await this.#deps.pause(ms, this.#signal).catch(() => undefined);
  }
}
