import type { Board } from '../../board/board.ts';
import type { Bonds } from '../../domain/bonds/bonds.ts';
import type { ConversionRates } from '../../domain/dollars/conversion-rates.ts';
import type { DollarRates } from '../../domain/dollars/dollar-rates.ts';
import type { IndexSeries } from '../../domain/indices/index-series.ts';
import type { InstrumentSearch } from '../../domain/instruments/instrument-search.ts';
import type { Universe } from '../../domain/instruments/universe.ts';
import type { SourcesState } from '../../domain/quotes/sources-state.ts';
import type { BarReader } from '../../store/contract/bar-store.ts';
import type { VersionedParts } from '../../store/contract/store.ts';
import type { InstantTexts } from '../../wire/texts/instant-texts.ts';
import type { HistoryRevisions } from '../../store/contract/history-store.ts';
import type { KnownSources } from '../history/known-sources.ts';
import type { SeriesSources } from '../history/read-table.ts';

/** What the responses of the public paths are made of. Each path names what it needs of it. */
export interface PathParts extends SeriesSources {
  readonly universe: Universe;
  readonly board: Board;
  readonly search: InstrumentSearch;
  readonly bars: BarReader;
  /** Gives what was stored at an instant. */
  readonly known: KnownSources;
  /** Reads the current and the earlier versions of what is stored. */
  readonly versions: VersionedParts;
  readonly revisions: HistoryRevisions;
  /** Gives the values of indices. Another object is given when they have changed. */
  readonly indices: () => IndexSeries;
  readonly bonds: Bonds;
  readonly dollars: DollarRates;
  readonly rates: ConversionRates;
  readonly instants: InstantTexts;
  /** The state of the sources. Gives undefined where the node does not know it. */
  readonly sources?: (() => SourcesState | undefined) | undefined;
  /** Maximum number of rows of a response, or of dates multiplied by instruments. */
  readonly rowsMax: number;
}
