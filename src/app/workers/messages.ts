import type { Registry } from 'prom-client';
import type { NotedUse } from '../../auth/key-uses.ts';
import type { PackedQuote } from '../../bus/process/packed-quotes.ts';
import type { Universe } from '../../domain/universe.ts';
import type { Settings } from '../settings/settings.ts';

/** The metrics of one process, as the metrics library hands them over. */
export type MetricsJson = Awaited<ReturnType<Registry['getMetricsAsJSON']>>;

/**
 * What the primary process tells a worker; structured clone carries it over. It is done in order, but
 * for `metrics`, which is answered at once.
 */
export type ToWorker = BeginMessage | ShowMessage | QuotesMessage | MetricsRequest | StopMessage;

/** The first. */
interface BeginMessage {
  readonly type: 'begin';
  readonly version: string;
  readonly instance: string;
  /** How many processes share the port. */
  readonly processes: number;
  readonly port: number;
}

/** What is served from now on. Answered by `taken` when it is. */
export interface ShowMessage {
  readonly type: 'show';
  /** As the primary has read it: files may have changed since. */
  readonly universe: UniverseParts;
  readonly settings: Settings;
  readonly isSimulated: boolean;
  /** All current quotes. */
  readonly quotes: readonly PackedQuote[];
}

/** What of a universe goes over: the rest is made of it. */
type UniverseParts = Pick<Universe, 'instruments' | 'markets' | 'panels' | 'derived'>;

/** News of quotes. Answered by `taken` when they are shown. */
interface QuotesMessage {
  readonly type: 'quotes';
  readonly quotes: readonly PackedQuote[];
}

/** Answered by `metrics`. */
interface MetricsRequest {
  readonly type: 'metrics';
}

/** The last: drain, and end. */
interface StopMessage {
  readonly type: 'stop';
}

/** What a worker tells the primary process. */
export type FromWorker =
  /** The last `show` or `quotes` is shown. */
  | { readonly type: 'taken' }
  | { readonly type: 'metrics'; readonly metrics: MetricsJson }
  /** Keys opened something; only the primary can note it. */
  | { readonly type: 'uses'; readonly uses: readonly NotedUse[] };
