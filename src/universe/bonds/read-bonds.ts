import type { PlainDate } from '../../domain/calendar/plain-date.ts';
import type { BondTerms } from '../../domain/instruments/bond-terms.ts';
import type { Instrument } from '../../domain/instruments/instrument.ts';
import { canMature } from '../../domain/instruments/maturity.ts';
import { tickerKey, type Ticker, type TickerKey } from '../../domain/instruments/ticker.ts';
import { readCsvTable } from '../files/csv-table.ts';
import type { UniverseFault } from '../files/universe-fault.ts';
import {
  bondColumns,
  optionalBondColumns,
  type BondColumn,
  type BondRow,
  type ReportBond,
} from './read-cells.ts';
import { readTerms } from './read-terms.ts';

/** The contents of `bonds.csv`: the rows without faults in the order of the file, and all faults. */
interface BondTable {
  readonly bondTerms: readonly BondTerms[];
  readonly faults: readonly UniverseFault[];
}

/** The instruments to which the rows refer. */
interface KnownInstruments {
  readonly byKey: ReadonlyMap<TickerKey, Instrument>;
  /** All tickers with a row, faulty rows included. */
  readonly declared: ReadonlyMap<TickerKey, number>;
}

/** Reads the terms of bonds, one row for each issue. */
export function readBonds(
  source: { readonly file: string; readonly text: string },
  instruments: KnownInstruments,
): BondTable {
  const bondTerms: BondTerms[] = [];
  /** The line of each ticker that a row has used. */
  const used = new Map<TickerKey, number>();

  const onRow = (row: BondRow, report: ReportBond): void => {
    let isSound = true;
    const wrong: ReportBond = (...fault) => {
      isSound = false;
      report(...fault);
    };
    const classOf = (column: 'especie' | 'series', text: string): Ticker | undefined => {
      const key = tickerKey(text);
      const before = used.get(key);
      if (before !== undefined) {
        wrong(column, text, `line ${before} has the terms of this ticker already`);
        return undefined;
      }
      used.set(key, row.line);
      return findClass(text, { row, column, instruments }, wrong);
    };
    const { especie, series: seriesText } = row.cells;
    if (especie === '') wrong('especie', '', 'must not be empty');
    const ticker = especie === '' ? undefined : classOf('especie', especie);
    const series = seriesText === '' ? [] : seriesText.split(/\s+/);
    const others = series.flatMap((text) => classOf('series', text) ?? []);
    const terms = readTerms(row, wrong);
    if (isSound && ticker !== undefined && terms !== undefined) {
      bondTerms.push({ ticker, series: others, ...terms });
    }
  };
  const faults = readCsvTable(source, bondColumns, onRow, optionalBondColumns);
  return { bondTerms, faults };
}

/** The ticker of a class as the universe spells it. Undefined after a fault, or if its row has one. */
function findClass(
  text: string,
  at: {
    readonly row: BondRow;
    readonly column: BondColumn;
    readonly instruments: KnownInstruments;
  },
  wrong: ReportBond,
): Ticker | undefined {
  const { row, column, instruments } = at;
  const key = tickerKey(text);
  const instrument = instruments.byKey.get(key);
  if (instrument === undefined) {
    if (instruments.declared.has(key)) return undefined;
    wrong(column, text, 'unknown instrument; instruments.csv has no row with this ticker');
    return undefined;
  }
  if (!canMature(instrument.kind)) {
    wrong(
      column,
      text,
      `is a ${instrument.kind}; only a bond, a corporate-bond or a bill has terms`,
    );
  }
  const base = instrument.dollarClass?.base;
  const issue = tickerKey(row.cells.especie);
  if (base !== undefined && tickerKey(base) !== issue && instruments.byKey.has(issue)) {
    wrong(column, text, `instruments.csv has it as a class of ${base}; use the row of ${base}`);
  }
  const maturity = row.cells.vencimiento as PlainDate;
  if (instrument.maturity !== undefined && instrument.maturity !== maturity) {
    wrong(
      'vencimiento',
      maturity,
      `instruments.csv has the maturity ${instrument.maturity} for ${instrument.ticker}; correct one of them`,
    );
  }
  return instrument.ticker;
}
