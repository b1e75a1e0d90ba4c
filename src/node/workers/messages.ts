import type { Registry } from 'prom-client';

import type { NotedUse } from '../../auth/key-uses.ts';
import type { PackedQuote } from '../../bus/process/packed-quotes.ts';
import type { SourcesState } from '../../domain/quotes/sources-state.ts';
import type { Universe } from '../../domain/instruments/universe.ts';
import type { StreamCount } from '../../http/stream/stream-limits.ts';
import type { StopStep } from '../../http/carriers/stop/listener-stop.ts';
import type { Settings } from '../../config/settings/settings.ts';

/** The metrics of one process, in the form of the metrics library. */
export type MetricsJson = Awaited<ReturnType<Registry['getMetricsAsJSON']>>;

/**
 * A message from the primary to a worker, transferred by structured clone. Messages are handled in
 * order, except `metrics`, which gets a response at once, `streams`, and `proceed`, which continues a `stop`.
 */
export type ToWorker =
  | BeginMessage
  | ShowMessage
  | QuotesMessage
  | MetricsRequest
  | DamagedMessage
  | StreamsMessage
  | StopMessage
  | ProceedMessage;

/** The first message. */
interface BeginMessage {
  readonly type: 'begin';
  readonly version: string;
  readonly instance: string;
  /** Number of processes that share the port. */
  readonly processes: number;
  readonly port: number;
}

/** The site to serve from now on. The worker sends `taken` when it does. */
export interface ShowMessage {
  readonly type: 'show';
  /** The universe as the primary has read it. The files may have changed since. */
  readonly universe: UniverseParts;
  readonly settings: Settings;
  readonly isSimulated: boolean;
  /** All current quotes. */
  readonly quotes: readonly PackedQuote[];
  /** Absent where the primary runs the market. */
  readonly replication?: Replication | undefined;
  /** The state of the sources. */
  readonly sources?: SourcesState | undefined;
  /** The ids of the services that this one follows. */
  readonly origins?: readonly string[] | undefined;
}

/** How the quotes of the primary compare with the store. */
export interface Replication {
  /** Time since the store last confirmed the quotes, in milliseconds. */
  readonly dataAgeMs: number;
  /** Whether another node reads the store, and this one cannot. */
  readonly isBehind: boolean;
  /** What the primary knows of the history of the database. */
  readonly lineage?: string | undefined;
}

/** The parts of a universe that are transferred. The others are derived from them. */
type UniverseParts = Pick<Universe, 'instruments' | 'markets' | 'panels' | 'derived' | 'bondTerms'>;

/** Newer quotes, or none while nothing is published. The worker sends `taken` when it has published them. */
interface QuotesMessage {
  readonly type: 'quotes';
  readonly quotes: readonly PackedQuote[];
  /** As in {@link ShowMessage}. */
  readonly replication?: Replication | undefined;
  /** As in {@link ShowMessage}. */
  readonly sources?: SourcesState | undefined;
  /** As in {@link ShowMessage}. */
  readonly origins?: readonly string[] | undefined;
}

/** A request for metrics. The worker sends `metrics`. */
interface MetricsRequest {
  readonly type: 'metrics';
}

/**
 * The open streams of a key: from a worker its own, and from the primary those of all other processes. It is handled
 * at once.
 */
interface StreamsMessage {
  readonly type: 'streams';
  readonly count: StreamCount;
}

/** Damage was found in the store. Each side sends it to the other. */
interface DamagedMessage {
  readonly type: 'damaged';
  readonly reason: string;
}

/** The last message: drain, and end. */
interface StopMessage {
  readonly type: 'stop';
}

/** All processes have reached a step of the stop. */
interface ProceedMessage {
  readonly type: 'proceed';
  readonly step: StopStep;
}

/** A message from a worker to the primary. */
export type FromWorker =
  /** The last `show` or `quotes` is applied. */
  | { readonly type: 'taken' }
  | { readonly type: 'metrics'; readonly metrics: MetricsJson }
  /** The worker has reached a step of the stop. The primary sends `proceed` when all have. */
  | { readonly type: 'reached'; readonly step: StopStep }
  | DamagedMessage
  | StreamsMessage
  /** Uses of keys, which only the primary can store. */
  | { readonly type: 'uses'; readonly uses: readonly NotedUse[] };
