import { Counter, Gauge, Histogram, Registry, collectDefaultMetrics } from 'prom-client';
import type { Board } from '../../board/board.ts';
import { instrumentKinds } from '../../domain/instrument.ts';
import type { Quote } from '../../domain/quote.ts';
import type { HttpObserver } from '../../http/exchange/http-observer.ts';
import type { FeedState } from '../../pipeline/feed-state.ts';
import { watchJumps } from '../../pipeline/watch-jumps.ts';
import type { CommitObserver } from '../site/observe-commits.ts';
import type { MarketObserver } from '../site/open-market.ts';
import { CommitHealth } from './readiness.ts';
import { RequestDurations } from './request-durations.ts';

/** Bounds of the histograms of time, in seconds: from a quote in memory to a disk that struggles. */
const secondsBuckets = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5];

/**
 * Defaults of the library that are left out: their names end in `_total` and they count down too,
 * which Prometheus' own checks call wrong; the same numbers are there by type.
 */
const misnamedDefaults = [
  'nodejs_active_handles_total',
  'nodejs_active_requests_total',
  'nodejs_active_resources_total',
];

/** What of a site is measured when somebody asks. */
export interface MeasuredSite {
  readonly isSimulated: boolean;
  readonly board: Board;
  readonly persist: { readonly backlog: number };
  readonly feeds: () => readonly FeedState[];
}

/**
 * The metrics of the process, for Prometheus. docs/metrics.md says what each is for; a test holds the
 * two together.
 *
 * What happens is counted as it happens, through observers; what is, is asked of the site when the
 * metrics are. One registry lives as long as the process, whichever site it shows.
 */
export class Metrics {
  readonly registry = new Registry();
  /** How the last commits went. */
  readonly commitHealth = new CommitHealth();
  #site: () => MeasuredSite | undefined = () => undefined;
  readonly #requests: RequestDurations;
  readonly #keysRefused: Counter<'listener' | 'reason'>;
  readonly #shed: Counter;
  readonly #published: Counter;
  readonly #jumps: Counter<'kind'>;
  readonly #clockJumps: Counter;
  readonly #workersEnded: Counter;

  constructor({ version }: { readonly version: string }) {
    const registers = [this.registry];
    collectDefaultMetrics({ register: this.registry });
    for (const name of misnamedDefaults) this.registry.removeSingleMetric(name);
    const build = new Gauge({
      name: 'pizarra_build_info',
      help: 'Always 1; the labels say what runs.',
      labelNames: ['version', 'node'],
      aggregator: 'first',
      registers,
    });
    build.set({ version, node: process.version }, 1);
    const processes = new Gauge({
      name: 'pizarra_processes',
      help: 'Processes that answer on the public port.',
      registers,
    });
    // Each counts itself, and they are added up.
    processes.set(1);
    this.#workersEnded = new Counter({
      name: 'pizarra_workers_ended_total',
      help: 'Worker processes that ended by themselves; each was replaced.',
      registers,
    });
    this.#requests = new RequestDurations({
      name: 'pizarra_http_request_duration_seconds',
      help: 'From the head of a request to the end of its answer. Streams are left out.',
      bounds: secondsBuckets,
    });
    this.registry.registerMetric(this.#requests.asMetric);
    this.#keysRefused = new Counter({
      name: 'pizarra_http_keys_refused_total',
      help: 'Requests that no key let in.',
      labelNames: ['listener', 'reason'],
      registers,
    });
    this.#shed = new Counter({
      name: 'pizarra_http_requests_shed_total',
      help: 'Requests that waited too long for their turn and got 503.',
      registers,
    });
    this.#published = new Counter({
      name: 'pizarra_quotes_published_total',
      help: 'New quotes, each with a version of its own, that were durable and shown.',
      registers,
    });
    this.#jumps = new Counter({
      name: 'pizarra_jumps_total',
      help: 'Sessions that a feed moved beyond the limit of their kind; accepted, and worth a look.',
      labelNames: ['kind'],
      registers,
    });
    for (const kind of Object.keys(instrumentKinds)) this.#jumps.inc({ kind }, 0);
    this.#clockJumps = new Counter({
      name: 'pizarra_clock_jumps_total',
      help: 'How often the clock of the machine was set, or the machine stood still.',
      registers,
    });
    const { commitHealth } = this;
    this.registry.registerMetric(
      new Gauge({
        name: 'pizarra_store_damaged',
        help: 'Whether the database was found damaged since the start.',
        registers: [],
        collect() {
          this.set(Number(commitHealth.isDamaged));
        },
      }),
    );
    this.#addSiteGauges();
    this.#addFeedMetrics();
  }

  /** From now on asks this for the site whenever the metrics are asked for. */
  measure(site: () => MeasuredSite | undefined): void {
    this.#site = site;
  }

  /** The clock was set. */
  clockJumped(): void {
    this.#clockJumps.inc();
  }

  /** A worker process has ended by itself. */
  workerEnded(): void {
    this.#workersEnded.inc();
  }

  /** The observer of one listener. */
  http(listener: 'public' | 'private'): HttpObserver {
    return {
      answered: ({ route, method, status, seconds }) =>
        this.#requests.count({ listener, route, method, status }, seconds),
      keyRefused: (reason) => this.#keysRefused.inc({ listener, reason }),
      shed: () => this.#shed.inc(),
    };
  }

  /** The observer of every market that the process opens; to be asked for once. */
  market(): MarketObserver {
    const commits = this.#commits();
    return {
      commits,
      watch: (board) => {
        using cleanUp = new DisposableStack();
        cleanUp.use(board.subscribe((quotes) => this.#published.inc(quotes.length)));
        const onJump = ({ instrument: { kind } }: Quote): void => this.#jumps.inc({ kind });
        cleanUp.use(watchJumps(board, onJump));
        return cleanUp.move();
      },
    };
  }

  #commits(): CommitObserver {
    const registers = [this.registry];
    const seconds = new Histogram({
      name: 'pizarra_commit_duration_seconds',
      help: 'How long it took to make a group of quotes durable.',
      buckets: secondsBuckets,
      registers,
    });
    const failures = new Counter({
      name: 'pizarra_commit_failures_total',
      help: 'Commits that failed; each is tried again until it succeeds.',
      registers,
    });
    const rows = new Counter({
      name: 'pizarra_commit_rows_total',
      help: 'What was made durable.',
      labelNames: ['table'],
      registers,
    });
    return {
      committed: (commit) => {
        seconds.observe(commit.seconds);
        rows.inc({ table: 'quotes' }, commit.quotes);
        rows.inc({ table: 'closes' }, commit.closes);
        this.commitHealth.committed();
      },
      failed: () => {
        failures.inc();
        this.commitHealth.failed();
      },
    };
  }

  #addSiteGauges(): void {
    const gauge = (name: string, help: string, valueOf: (site: MeasuredSite) => number): void => {
      const site = (): MeasuredSite | undefined => this.#site();
      this.registry.registerMetric(
        new Gauge({
          name,
          help,
          registers: [],
          collect() {
            const measured = site();
            if (measured !== undefined) this.set(valueOf(measured));
          },
        }),
      );
    };
    gauge(
      'pizarra_data_simulated',
      'Whether the prices are made up (1), for a demonstration, or real (0).',
      ({ isSimulated }) => Number(isSimulated),
    );
    gauge(
      'pizarra_instruments',
      'Instruments of the universe.',
      ({ board }) => board.universe.instruments.length,
    );
    gauge(
      'pizarra_board_quotes',
      'Instruments that have a quote.',
      ({ board }) => versions(board).length,
    );
    gauge('pizarra_quote_version', 'The highest version that was shown.', ({ board }) =>
      Math.max(0, ...versions(board)),
    );
    gauge(
      'pizarra_persist_backlog_quotes',
      'Quotes that wait for the commit after the one under way; at most one an instrument.',
      ({ persist }) => persist.backlog,
    );
  }

  #addFeedMetrics(): void {
    const feeds = (): readonly FeedState[] => this.#site()?.feeds() ?? [];
    this.registry.registerMetric(
      new Counter({
        name: 'pizarra_updates_total',
        help: 'Updates by feed and by what became of them.',
        labelNames: ['feed', 'outcome'],
        registers: [],
        collect() {
          this.reset();
          for (const { name, updates } of feeds()) {
            for (const [outcome, count] of updates) this.inc({ feed: name, outcome }, count);
          }
        },
      }),
    );
    this.registry.registerMetric(
      new Counter({
        name: 'pizarra_feed_failures_total',
        help: 'How often a feed failed and was started again.',
        labelNames: ['feed'],
        registers: [],
        collect() {
          this.reset();
          for (const { name, failures } of feeds()) this.inc({ feed: name }, failures);
        },
      }),
    );
    const gauge = (
      name: string,
      help: string,
      valueOf: (state: FeedState) => number | undefined,
    ): void => {
      this.registry.registerMetric(
        new Gauge({
          name,
          help,
          labelNames: ['feed'],
          registers: [],
          collect() {
            this.reset();
            for (const state of feeds()) {
              const value = valueOf(state);
              if (value !== undefined) this.set({ feed: state.name }, value);
            }
          },
        }),
      );
    };
    gauge(
      'pizarra_feed_stale',
      'Whether a feed has been silent for longer than its limit while its market is open.',
      ({ isStale }) => Number(isStale),
    );
    gauge(
      'pizarra_feed_connected',
      'Whether a feed has spoken since it was last started.',
      (state) => Number(state.phase === 'connected'),
    );
    gauge(
      'pizarra_feed_last_batch_timestamp_seconds',
      'When a feed last spoke; absent before it has.',
      ({ lastBatchAt }) => (lastBatchAt === undefined ? undefined : lastBatchAt / 1_000),
    );
  }
}

function versions(board: Board): readonly number[] {
  return board.universe.instruments.flatMap((instrument) => board.quote(instrument)?.version ?? []);
}
