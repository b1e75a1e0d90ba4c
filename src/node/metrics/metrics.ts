import { Gauge, Histogram, Registry, collectDefaultMetrics } from 'prom-client';

import type { Board } from '../../board/board.ts';
import { instrumentKinds } from '../../domain/instruments/instrument.ts';
import type { JudgedPrice } from '../../engine/judged-price.ts';
import type { HttpObserver } from '../../http/handler/request-handler.ts';
import type { FeedState } from '../../pipeline/live/feed-state.ts';
import { StoreFault } from '../../store/contract/store-fault.ts';
import { countOpenFiles } from './open-files.ts';
import { watchJumps } from '../../pipeline/live/watch-jumps.ts';
import type { CommitObserver, PipelineObserver } from '../market/open-pipeline.ts';
import { counter, readMetric } from './metric-kinds.ts';
import { CommitHealth, closesSetAside } from './readiness.ts';

/** Bounds of the histograms of time, in seconds: from a quote in memory to a slow disk. */
const secondsBuckets = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5];

/**
 * How often the delay of the event loop is sampled, in milliseconds. Each sample wakes the process. At
 * the library's 10 ms, samples are most of what an idle service costs.
 */
const lagSampleMs = 20;

/**
 * Default metrics of the library that are removed. Their names end in `_total`, but they are gauges,
 * which `promtool check metrics` reports as wrong. Other default metrics have the same values by type.
 */
const misnamedDefaults = [
  'nodejs_active_handles_total',
  'nodejs_active_requests_total',
  'nodejs_active_resources_total',
];

/** Every decision of the judge about live prices. */
const decisions: readonly JudgedPrice['type'][] = Object.keys({
  held: 0,
  confirmed: 0,
  dropped: 0,
  'set-aside': 0,
  restored: 0,
} satisfies Record<JudgedPrice['type'], 0>) as JudgedPrice['type'][];

/** What is measured when the metrics are requested. */
export interface MeasuredMarket {
  readonly isSimulated: boolean;
  readonly board: Board;
  readonly persist: { readonly backlog: number };
  readonly feeds: () => readonly FeedState[];
  /** Time since the store last confirmed the quotes. Absent where this process alone writes them. */
  readonly dataAgeMs?: number;
  /** Whether another node reads the store, and this one cannot. */
  readonly isBehind?: boolean;
  /** Whether this process has an open market that takes pushed updates. */
  readonly acceptsUpdates: boolean;
  /** Whether this process stands by and could not take over, because it lacks connections to the database. */
  readonly isTakeOverBlocked?: boolean;
  /** The token of the claim of this process; 0 without the claim. Absent over a data directory. */
  readonly claimToken?: number;
  /** By how much the clock of this machine is ahead of that of the database. Absent over a data directory. */
  readonly clockDifferenceMs?: number | undefined;
}

/**
 * The metrics of the process, for Prometheus. docs/metrics.md describes each, and a test compares the
 * two.
 *
 * Observers count events when they happen. Gauges are read from the market when the metrics are
 * requested. The registry lives as long as the process, over all its markets.
 */
export class Metrics {
  readonly registry = new Registry();
  /** The results of the last commits. */
  readonly commitHealth = new CommitHealth();
  #market: () => MeasuredMarket | undefined = () => undefined;
  readonly #requests = new Histogram({
    name: 'pizarra_http_request_duration_seconds',
    help: 'Time from the head of a request to the end of its response. Streams are not included.',
    labelNames: ['listener', 'route', 'method', 'status'],
    buckets: [...secondsBuckets],
    registers: [this.registry],
  });
  readonly #keysRefused = counter(
    this.registry,
    'pizarra_http_keys_refused_total',
    'Requests with a missing or invalid key.',
    'listener',
    'reason',
  );
  readonly #shed = counter(
    this.registry,
    'pizarra_http_requests_shed_total',
    'Requests that waited too long for the processor and got 503.',
  );
  readonly #clockJumps = counter(
    this.registry,
    'pizarra_clock_jumps_total',
    'How often the clock was set, or the process was suspended.',
  );
  readonly #workersEnded = counter(
    this.registry,
    'pizarra_workers_ended_total',
    'Worker processes that ended unexpectedly. Each was replaced.',
  );

  constructor({ version }: { readonly version: string }) {
    const registers = [this.registry];
    collectDefaultMetrics({ register: this.registry, eventLoopMonitoringPrecision: lagSampleMs });
    for (const name of misnamedDefaults) this.registry.removeSingleMetric(name);
    this.#replaceOpenFiles();
    const build = new Gauge({
      name: 'pizarra_build_info',
      help: 'Version of Pizarra and of Node, as labels. Always 1.',
      labelNames: ['version', 'node'],
      aggregator: 'first',
      registers,
    });
    build.set({ version, node: process.version }, 1);
    // Each process counts itself, and the sum covers all.
    const processes = 'Processes that serve requests on the public port.';
    new Gauge({ name: 'pizarra_processes', help: processes, registers }).set(1);
    this.#addMarketGauges();
    this.#addFeedMetrics();
  }

  /** Sets where the market is read from whenever the metrics are requested. */
  measure(market: () => MeasuredMarket | undefined): void {
    this.#market = market;
  }

  /** Counts a jump of the clock. */
  clockJumped(): void {
    this.#clockJumps.inc();
  }

  /** Counts a worker process that ended unexpectedly. */
  workerEnded(): void {
    this.#workersEnded.inc();
  }

  /** The observer of one listener. */
  http(listener: 'public' | 'private'): HttpObserver {
    return {
      answered: ({ route, method, status, seconds }) =>
        this.#requests.observe({ listener, route, method, status }, seconds),
      keyRefused: (reason) => this.#keysRefused.inc({ listener, reason }),
      shed: () => this.#shed.inc(),
    };
  }

  /** The observer of every market that the process opens. Called once. */
  pipeline(): PipelineObserver {
    const { registry } = this;
    const published = counter(
      registry,
      'pizarra_quotes_published_total',
      'New quotes that were committed and published.',
    );
    const jumps = counter(
      registry,
      'pizarra_jumps_total',
      'Sessions in which a feed moved the price beyond the limit of the kind. The updates are accepted.',
      'kind',
    );
    for (const kind of Object.keys(instrumentKinds)) jumps.inc({ kind }, 0);
    const differences = counter(
      registry,
      'pizarra_close_differences_total',
      'Daily closes that differ from the stored ones, by the source of the new close and outcome.',
      'source',
      'outcome',
    );
    const rejectedRows = counter(
      registry,
      'pizarra_fetched_rows_rejected_total',
      'Rows of the daily history of sources that are not stored, by source and reason.',
      'source',
      'reason',
    );
    const judged = counter(
      registry,
      'pizarra_judged_prices_total',
      'Decisions about prices that are not usual, and about closes that such prices contradict.',
      'decision',
    );
    for (const decision of decisions) judged.inc({ decision }, 0);
    return {
      commits: this.#commits(),
      rejectedRows: (source, reason, count) => rejectedRows.inc({ source, reason }, count),
      judged: (decision) => judged.inc({ decision }),
      differences: (source, outcome, count) => differences.inc({ source, outcome }, count),
      watch: (board) => {
        using cleanUp = new DisposableStack();
        cleanUp.use(board.subscribe((quotes) => published.inc(quotes.length)));
        cleanUp.use(watchJumps(board, ({ instrument: { kind } }) => jumps.inc({ kind })));
        return cleanUp.move();
      },
    };
  }

  #commits(): CommitObserver {
    const { registry } = this;
    const seconds = new Histogram({
      name: 'pizarra_commit_duration_seconds',
      help: 'Time to commit a group of quotes.',
      buckets: secondsBuckets,
      registers: [registry],
    });
    const failures = counter(
      registry,
      'pizarra_commit_failures_total',
      'Failed commits. Each is retried until it succeeds.',
    );
    const rows = counter(
      registry,
      'pizarra_commit_rows_total',
      'Committed quotes and closes.',
      'table',
    );
    return {
      committed: (commit) => {
        seconds.observe(commit.seconds);
        rows.inc({ table: 'quotes' }, commit.quotes);
        rows.inc({ table: 'closes' }, commit.closes);
        this.commitHealth.committed();
      },
      failed: (fault) => {
        failures.inc();
        // The claim went to another node, which stores the quotes from now on.
        const isFenced = fault instanceof StoreFault && fault.code === 'fenced';
        if (!isFenced) this.commitHealth.failed();
      },
      begin: () => this.commitHealth.committed(),
    };
  }

  /** The library reads the list of all open files, which takes milliseconds with many streams. */
  #replaceOpenFiles(): void {
    const name = 'process_open_fds';
    // The library has it on Linux only.
    if (this.registry.getSingleMetric(name) === undefined) return;
    this.registry.removeSingleMetric(name);
    readMetric(this.registry, { name, help: 'Number of open file descriptors.' }, () => {
      const count = countOpenFiles();
      return count === undefined ? [] : [[count]];
    });
  }

  #addMarketGauges(): void {
    const gauge = (name: string, help: string, valueOf: (market: MeasuredMarket) => number): void =>
      readMetric(this.registry, { name, help }, () => {
        const market = this.#market();
        return market === undefined ? [] : [[valueOf(market)]];
      });
    gauge('pizarra_data_simulated', '1 while the prices are simulated.', ({ isSimulated }) =>
      Number(isSimulated),
    );
    readMetric(
      this.registry,
      { name: 'pizarra_store_damaged', help: '1 after the database was found damaged.' },
      () => [[Number(this.commitHealth.isDamaged)]],
    );
    gauge(
      'pizarra_instruments',
      'Instruments of the universe.',
      ({ board }) => board.universe.instruments.length,
    );
    gauge('pizarra_board_quotes', 'Instruments that have a quote.', ({ board }) => board.size);
    gauge(
      'pizarra_closes_set_aside',
      'Instruments whose stored close is contradicted by live prices.',
      ({ board }) => closesSetAside(board).length,
    );
    gauge(
      'pizarra_quote_version',
      'Highest published version.',
      ({ board }) => board.latestVersion,
    );
    gauge(
      'pizarra_data_age_seconds',
      'Time since the store last confirmed the quotes. 0 where this process alone writes them.',
      ({ dataAgeMs = 0 }) => dataAgeMs / 1_000,
    );
    gauge(
      'pizarra_node_behind',
      '1 while another node reads the store and this one cannot. Its public /healthz is then 503.',
      ({ isBehind = false }) => Number(isBehind),
    );
    gauge(
      'pizarra_claim_token',
      'Token of the claim while this node writes, else 0. It rises with every take-over.',
      ({ claimToken = 0 }) => claimToken,
    );
    gauge(
      'pizarra_take_over_blocked',
      '1 while this node stands by and the database refuses it the connections to take over.',
      ({ isTakeOverBlocked = false }) => Number(isTakeOverBlocked),
    );
    gauge(
      'pizarra_database_clock_difference_seconds',
      'By how much the clock of this machine is ahead of that of the database. 0 over a data directory.',
      ({ clockDifferenceMs = 0 }) => clockDifferenceMs / 1_000,
    );
    gauge(
      'pizarra_accepts_updates',
      '1 while this node accepts pushed updates: it writes, and its last commit did not fail.',
      ({ acceptsUpdates }) => Number(acceptsUpdates && this.commitHealth.check().ok),
    );
    gauge(
      'pizarra_persist_backlog_quotes',
      'Quotes that wait for the next commit. At most one per instrument.',
      ({ persist }) => persist.backlog,
    );
  }

  #addFeedMetrics(): void {
    // Each reading counts the instruments of all feeds, and eight metrics need it.
    const feeds = oncePerTurn((): readonly FeedState[] => this.#market()?.feeds() ?? []);
    const counts = (
      name: `${string}_total`,
      help: string,
      label: string,
      countsOf: (state: FeedState) => Iterable<readonly [string, number]>,
    ): void =>
      readMetric(this.registry, { name, help, labelNames: ['feed', label] }, () =>
        feeds().flatMap((state) =>
          Array.from(countsOf(state), ([of, count]) => {
            return [count, { feed: state.name, [label]: of }] as const;
          }),
        ),
      );
    counts(
      'pizarra_updates_total',
      'Updates by feed and outcome.',
      'outcome',
      ({ updates }) => updates,
    );
    counts(
      'pizarra_feed_rejected_total',
      'Parts of the messages of a feed that were no update, by feed and reason.',
      'reason',
      ({ rejected }) => rejected,
    );
    const value = (
      name: string,
      help: string,
      valueOf: (state: FeedState) => number | undefined,
    ): void =>
      readMetric(this.registry, { name, help, labelNames: ['feed'] }, () =>
        feeds().flatMap((state) => {
          const read = valueOf(state);
          return read === undefined ? [] : [[read, { feed: state.name }] as const];
        }),
      );
    value(
      'pizarra_feed_failures_total',
      'Failures of a feed. It was restarted after each.',
      ({ failures }) => failures,
    );
    value(
      'pizarra_feed_stale',
      '1 if a feed has sent no data for longer than its limit while its market is open.',
      ({ isStale }) => Number(isStale),
    );
    value('pizarra_feed_connected', '1 if a feed has sent data since its last start.', (state) =>
      Number(state.phase === 'connected'),
    );
    value(
      'pizarra_feed_instruments',
      'Instruments whose price a feed gave.',
      ({ instruments }) => instruments,
    );
    value(
      'pizarra_feed_last_batch_timestamp_seconds',
      'Time of the last data of a feed. Absent before the first data.',
      ({ lastBatchAt }) => (lastBatchAt === undefined ? undefined : lastBatchAt / 1_000),
    );
    value(
      'pizarra_feed_lag_seconds',
      'How much later than its instant the newest update of a feed arrived. Absent before the first update.',
      ({ lagMs }) => (lagMs === undefined ? undefined : lagMs / 1_000),
    );
  }
}

/** Reads a value once for all metrics that are collected in one turn, as those of one request are. */
function oncePerTurn<T>(read: () => T): () => T {
  let held: { readonly value: T } | undefined;
  return () => {
    if (held === undefined) queueMicrotask(() => (held = undefined));
    held ??= { value: read() };
    return held.value;
  };
}
