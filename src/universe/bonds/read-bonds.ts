import type { PlainDate } from '../../domain/calendar/plain-date.ts';
import type { BondTerms } from '../../domain/instruments/bond-terms.ts';
import { canMature } from '../../domain/instruments/maturity.ts';
import { tickerKey, type Ticker, type TickerKey } from '../../domain/instruments/ticker.ts';
import { readCsvTable } from '../files/csv-table.ts';
import type { UniverseFault, FileText } from '../files/universe-fault.ts';
import { referredTo, type KnownInstruments } from '../read-instruments.ts';
import { bondColumns, type BondColumn, type BondRow } from './read-cells.ts';
import { readTerms } from './read-terms.ts';

/** The contents of `bonds.csv`: the rows without faults in the order of the file, and all faults. */
interface BondTable {
  readonly bondTerms: readonly BondTerms[];
  readonly faults: readonly UniverseFault[];
}

/** Reads the terms of bonds, one row for each issue. */
export function readBonds(source: FileText, instruments: KnownInstruments): BondTable {
  const bondTerms: BondTerms[] = [];
  /** The line of each ticker that a row has used. */
  const used = new Map<TickerKey, number>();

  const onRow = (row: BondRow): void => {
    const classOf = (column: 'especie' | 'series', text: string): Ticker | undefined => {
      const key = tickerKey(text);
      const before = used.get(key);
      if (before === undefined) {
        used.set(key, row.line);
        return findClass(text, row, column, instruments);
      }
      row.wrong(column, `line ${before} has the terms of this ticker already`, text);
      return undefined;
    };
    // Their dates are compared only if no cell of them has a fault, so they are read first.
    const terms = readTerms(row);
    const { especie, series: seriesText } = row.cells;
    if (especie === '') row.wrong('especie', 'must not be empty');
    const ticker = especie === '' ? undefined : classOf('especie', especie);
    const series = seriesText === '' ? [] : seriesText.split(/\s+/);
    const others = series.flatMap((text) => classOf('series', text) ?? []);
    if (row.isSound && ticker !== undefined && terms !== undefined) {
      bondTerms.push({ ticker, series: others, ...terms });
    }
  };
  const faults = readCsvTable(source, bondColumns, onRow);
  return { bondTerms, faults };
}

/** The ticker of a class as the universe spells it. Undefined after a fault, or if its row has one. */
function findClass(
  text: string,
  row: BondRow,
  column: BondColumn,
  known: KnownInstruments,
): Ticker | undefined {
  const instrument = referredTo(text, known, (message) => row.wrong(column, message, text));
  if (instrument === undefined) return undefined;
  if (!canMature(instrument.kind)) {
    const { kind } = instrument;
    row.wrong(column, `is a ${kind}; only a bond, a corporate-bond or a bill has terms`, text);
  }
  const base = instrument.dollarClass?.base;
  const issue = tickerKey(row.cells.especie);
  if (base !== undefined && tickerKey(base) !== issue && known.byKey.has(issue)) {
    const message = `instruments.csv has it as a class of ${base}; use the row of ${base}`;
    row.wrong(column, message, text);
  }
  const { maturity, ticker } = instrument;
  if (maturity !== undefined && maturity !== (row.cells.vencimiento as PlainDate)) {
    const message = `instruments.csv has the maturity ${maturity} for ${ticker}; correct one of them`;
    row.wrong('vencimiento', message);
  }
  return ticker;
}
