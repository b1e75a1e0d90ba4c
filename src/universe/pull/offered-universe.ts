import type { FileText } from '../files/universe-fault.ts';
import { isInstrumentKind } from '../../domain/instruments/instrument.ts';
import { canMature } from '../../domain/instruments/maturity.ts';
import { tickerKey, type TickerKey } from '../../domain/instruments/ticker.ts';
import { bondColumns, type BondColumn } from '../bonds/read-cells.ts';
import { readCsvTable } from '../files/csv-table.ts';
import type { Market } from '../../domain/calendar/market.ts';
import type { PanelCode } from '../../domain/instruments/panel.ts';
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

/**
 * The terms of issues of which a universe has no class in `bonds.csv`. An issue without a row for its first
 * ticker is left out, and so is a class without one.
 */
export function newTerms(
  offered: readonly OfferedTerms[],
  known: {
    /** The rows of `instruments.csv`, added ones included, without those that are other instruments here. */
    readonly rows: ReadonlyMap<TickerKey, InstrumentCells>;
    readonly bonds: FileText;
  },
  leftAlone: string[],
): readonly OfferedTerms[] {
  const used = tickersOf(known.bonds);
  return offered.flatMap((terms): readonly OfferedTerms[] => {
    const { tickers, cells } = terms;
    if (tickers.some((ticker) => used.has(tickerKey(ticker)))) return [];
    const [first, ...others] = tickers.flatMap((ticker) => {
      const row = known.rows.get(tickerKey(ticker));
      return row !== undefined && isDebt(row) ? [row] : [];
    });
    const [named] = tickers;
    if (first === undefined || tickerKey(first.ticker ?? '') !== tickerKey(named)) {
      leftAlone.push(`${named}: no terms, because its ticker is another instrument here`);
      return [];
    }
    const wrong = [first, ...others].find(
      ({ maturity = '' }) => maturity !== '' && maturity !== cells.vencimiento,
    );
    if (wrong !== undefined) {
      leftAlone.push(
        `${named}: no terms, because ${wrong.ticker} matures on ${wrong.maturity} here, on ${cells.vencimiento} there`,
      );
      return [];
    }
    const series = others.map(({ ticker }) => ticker).join(' ');
    return [{ tickers, cells: { ...cells, especie: first.ticker ?? named, series } }];
  });
}

function isDebt({ kind = '' }: InstrumentCells): boolean {
  return isInstrumentKind(kind) && canMature(kind);
}

/** The tickers that have terms. A faulty file is reported when the whole universe is validated. */
function tickersOf(source: {
  readonly file: string;
  readonly text: string;
}): ReadonlySet<TickerKey> {
  const used = new Set<TickerKey>();
  if (source.text === '') return used;
  readCsvTable(source, bondColumns, ({ cells: { especie, series } }) => {
    for (const ticker of [especie, ...series.split(/\s+/)]) {
      if (ticker !== '') used.add(tickerKey(ticker));
    }
  });
  return used;
}
