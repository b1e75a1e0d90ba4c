import type { Market } from '../../domain/calendar/market.ts';
import type { PanelCode } from '../../domain/instruments/panel.ts';
import type { BondColumn } from '../bonds/bond-row.ts';
import type { InstrumentColumn } from '../read-instruments.ts';

/** What another service has of each kind, in its order. The cells are those that a universe file would have. */
export interface OfferedUniverse {
  readonly instruments: readonly OfferedInstrument[];
  readonly markets: readonly Market[];
  /** The tickers of each panel, in its order. */
  readonly panels: ReadonlyMap<PanelCode, readonly string[]>;
  readonly terms: readonly OfferedTerms[];
}

/** A row of `instruments.csv`, without its panels. */
export interface OfferedInstrument {
  readonly cells: OfferedCells &
    Readonly<Record<'ticker' | 'kind' | 'market' | 'currency', string>>;
}

type OfferedCells = Readonly<Partial<Record<Exclude<InstrumentColumn, 'panels'>, string>>>;

/** The cells of a row of `instruments.csv`. */
export type InstrumentCells = Readonly<Partial<Record<InstrumentColumn, string>>>;

/** A row of `bonds.csv`. */
export interface OfferedTerms {
  /** The tickers of all classes, that of `especie` first. */
  readonly tickers: readonly [string, ...string[]];
  readonly cells: Readonly<Partial<Record<BondColumn, string>>>;
}
