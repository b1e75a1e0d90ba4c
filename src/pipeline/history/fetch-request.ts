import type { PlainDate } from '../../domain/calendar/plain-date.ts';
import type { SourceOrder } from '../../domain/history/source-order.ts';
import type { Ticker } from '../../domain/instruments/ticker.ts';
import type { Universe } from '../../domain/instruments/universe.ts';
import type { HistorySource } from '../../feeds/contract/history-source.ts';
import type { ActionStore } from '../../store/contract/action-store.ts';
import type {
  CloseReader,
  HistoryReader,
  HistoryWriter,
} from '../../store/contract/history-store.ts';
import type { LackingDays } from './lacking-days.ts';
import type { RequestDependencies, RequestPause } from './paced-requests.ts';
import type { ContinuePoint, RunPlace } from './source-requests.ts';

/** What to fetch. */
export interface HistoryFetchRequest {
  /** Undefined: all instruments that the sources have. */
  readonly tickers?: ReadonlySet<Ticker>;
  /** The first day that is fetched. */
  readonly from: PlainDate;
  /** The first day whose closes of another Pizarra are read again. Undefined: those of the last month. */
  readonly correctedFrom?: PlainDate;
  /**
   * Maximum number of requests to each source. The others are left for the next run. Later sources are
   * not asked for the instruments that wait for it.
   */
  readonly requestsMax?: number;
  /** Where each source begins that an earlier run left early. */
  readonly startAt?: ReadonlyMap<string, ContinuePoint>;
}

/** The collaborators of a fetch. */
export interface HistoryFetchDependencies extends RequestDependencies {
  /** The sources to ask, in the order of the configuration. */
  readonly sources: readonly HistorySource[];
  /** The order of all configured sources, also of those that are not asked. */
  readonly order: SourceOrder;
  readonly history: Pick<HistoryReader, 'readSeries'> & CloseReader & HistoryWriter;
  readonly actions: Pick<ActionStore, 'readAll' | 'apply'>;
  readonly universe: Universe;
  readonly lacking: LackingDays;
  readonly onProgress?: (progress: HistoryFetchProgress) => void;
}

/** The progress, reported before each request and before each pause after a fault. */
export interface HistoryFetchProgress extends RunPlace {
  readonly source: string;
  readonly ticker: Ticker;
  /** The number of closes that the source has added so far. */
  readonly added: number;
  readonly waiting?: RequestPause;
}
