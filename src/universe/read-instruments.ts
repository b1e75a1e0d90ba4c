import {
  instrumentKinds,
  isInstrumentKind,
  type ChangeUnit,
  type Instrument,
} from '../domain/instruments/instrument.ts';
import { isPanelCode, panelCodes, type PanelCode } from '../domain/instruments/panel.ts';
import {
  parseTicker,
  tickerKey,
  tickerLengthMax,
  type TickerKey,
} from '../domain/instruments/ticker.ts';
import { readCsvTable, type CsvRow, type ReportCell } from './files/csv-table.ts';
import type { PanelRule } from './read-panels.ts';
import { checkClasses, readClass, type ReadClass } from './read-class.ts';
import { readMaturity } from './read-maturity.ts';
import { readReceipt } from './read-receipt.ts';
import { listed, type UniverseFault } from './files/universe-fault.ts';

/** The columns of `instruments.csv` (docs/universe.md). */
export const instrumentColumns = [
  'ticker',
  'name',
  'kind',
  'market',
  'currency',
  'decimals',
  'change_unit',
  'panels',
  'ratio',
  'underlying',
  'maturity',
  'price_per',
  'base',
  'class',
  'issuer',
] as const;

/** A universe without depositary receipts, bonds, classes in dollars and unusual prices need not have these columns. */
export const optionalInstrumentColumns: ReadonlySet<InstrumentColumn> = new Set([
  'ratio',
  'underlying',
  'maturity',
  'price_per',
  'base',
  'class',
  'issuer',
]);

export type InstrumentColumn = (typeof instrumentColumns)[number];
type Row = CsvRow<InstrumentColumn>;
type Report = ReportCell<InstrumentColumn>;

/** Maximum length of an instrument's name, in characters. */
const nameLengthMax = 200;
const decimalsMax = 15;
const pricePerMax = 1_000_000;
const currencyShape = /^(?:[A-Z]{3,5}|%|bp)$/;

/** The contents of `instruments.csv`. */
export interface InstrumentTable {
  /** The rows without faults, in the order of the file. */
  readonly instruments: readonly Instrument[];
  /** By the key of the ticker. */
  readonly byKey: ReadonlyMap<TickerKey, Instrument>;
  /**
   * All tickers in the file with their lines, faulty rows included: a reference to one is valid.
   */
  readonly declared: ReadonlyMap<TickerKey, number>;
  /** For each panel with members from rows, its instruments in the order of the file. */
  readonly members: ReadonlyMap<PanelCode, readonly Instrument[]>;
  readonly faults: readonly UniverseFault[];
}

/**
 * Reads the table of instruments. `markets` are the codes of all markets, undefined when that file
 * could not be read. `panels` are the rules of the panels that could be read.
 */
export function readInstruments(
  source: { readonly file: string; readonly text: string },
  known: {
    readonly markets: ReadonlySet<string> | undefined;
    readonly panels: ReadonlyMap<PanelCode, PanelRule>;
  },
): InstrumentTable {
  const instruments: Instrument[] = [];
  const byKey = new Map<TickerKey, Instrument>();
  const declared = new Map<TickerKey, number>();
  const members = new Map<PanelCode, Instrument[]>();
  const classes: ReadClass[] = [];

  const onRow = (row: Row, report: Report): void => {
    let isSound = true;
    const wrong: Report = (...fault) => {
      isSound = false;
      report(...fault);
    };
    const ticker = readTicker(row, declared, wrong);
    const rest = readRow(row, known.markets, wrong);
    const panels = readPanelCodes(row, known.panels, wrong);
    if (ticker === undefined || rest === undefined || !isSound) return;

    const instrument: Instrument = { ticker, ...rest, position: instruments.length };
    instruments.push(instrument);
    byKey.set(tickerKey(ticker), instrument);
    if (instrument.dollarClass !== undefined) classes.push({ instrument, wrong: report });
    for (const panel of panels) {
      const list = members.get(panel);
      if (list === undefined) members.set(panel, [instrument]);
      else list.push(instrument);
    }
  };
  const faults = readCsvTable(source, instrumentColumns, onRow, optionalInstrumentColumns);
  checkClasses(classes, byKey, declared);
  return { instruments, byKey, declared, members, faults };
}

function readTicker(row: Row, declared: Map<TickerKey, number>, wrong: Report) {
  const text = row.cells.ticker;
  const ticker = parseTicker(text);
  if (ticker === undefined) {
    wrong(
      'ticker',
      text,
      `not a valid ticker; a ticker begins with a letter or digit and has at most ${tickerLengthMax} characters (letters, digits, single spaces, . _ / & ^ = + -)`,
    );
    return undefined;
  }
  const key = tickerKey(ticker);
  const before = declared.get(key);
  if (before !== undefined) {
    wrong('ticker', text, `duplicate ticker; line ${before} has it already, and case is ignored`);
    return undefined;
  }
  declared.set(key, row.line);
  return ticker;
}

function readRow(row: Row, markets: ReadonlySet<string> | undefined, wrong: Report) {
  const name = row.cells.name;
  if (name === '') wrong('name', name, 'must not be empty');
  if (name.length > nameLengthMax) {
    wrong('name', name, `has more than ${nameLengthMax} characters`);
  }

  const market = row.cells.market;
  if (markets !== undefined && !markets.has(market)) {
    wrong('market', market, `unknown market; the markets are ${listed(markets)}`);
  }

  const currency = row.cells.currency;
  if (!currencyShape.test(currency)) {
    wrong('currency', currency, 'not a valid currency; use three to five capital letters, % or bp');
  }

  const decimals = readDecimals(row, wrong);
  const changeUnit = readChangeUnit(row, wrong);
  const pricePer = readPricePer(row, wrong);

  const kind = row.cells.kind;
  if (!isInstrumentKind(kind)) {
    wrong('kind', kind, `unknown kind; the kinds are ${listed(Object.keys(instrumentKinds))}`);
    return undefined;
  }
  const usual = instrumentKinds[kind];
  return {
    name,
    kind,
    market,
    currency,
    decimals: decimals ?? usual.decimals,
    changeUnit: changeUnit ?? usual.changeUnit,
    pricePer: pricePer ?? usual.pricePer,
    ...readReceipt({ ...row.cells, kind }, wrong),
    ...readMaturity({ ...row.cells, kind }, wrong),
    ...readClass(row.cells, wrong),
    ...readIssuer(row, wrong),
  };
}

function readIssuer(row: Row, wrong: Report): Pick<Instrument, 'issuer'> {
  const { issuer } = row.cells;
  if (issuer.length > nameLengthMax) {
    wrong('issuer', issuer, `has more than ${nameLengthMax} characters`);
  }
  return issuer === '' ? {} : { issuer };
}

/** The number of decimals. Undefined when the cell is empty, for the default of the kind. */
function readDecimals(row: Row, wrong: Report): number | undefined {
  const text = row.cells.decimals;
  if (text === '') return undefined;
  const decimals = /^\d{1,2}$/.test(text) ? Number(text) : Number.NaN;
  if (decimals <= decimalsMax) return decimals;
  wrong(
    'decimals',
    text,
    `must be a whole number from 0 to ${decimalsMax}, or empty for the default of the kind`,
  );
  return undefined;
}

/** The unit of change. Undefined when the cell is empty, for the default of the kind. */
function readChangeUnit(row: Row, wrong: Report): ChangeUnit | undefined {
  const text = row.cells.change_unit;
  if (text === 'percent' || text === 'points') return text;
  if (text !== '') {
    wrong('change_unit', text, 'must be percent or points, or empty for the default of the kind');
  }
  return undefined;
}

/** What a price is a price of. Undefined when the cell is empty, for the default of the kind. */
function readPricePer(row: Row, wrong: Report): number | undefined {
  const text = row.cells.price_per;
  if (text === '') return undefined;
  const pricePer = /^[1-9]\d{0,6}$/.test(text) ? Number(text) : Number.NaN;
  if (pricePer <= pricePerMax) return pricePer;
  wrong(
    'price_per',
    text,
    `must be a whole number from 1 to ${pricePerMax}, such as 100 for prices of 100 nominal, or empty for the default of the kind`,
  );
  return undefined;
}

function readPanelCodes(
  row: Row,
  rules: ReadonlyMap<PanelCode, PanelRule>,
  wrong: Report,
): readonly PanelCode[] {
  const text = row.cells.panels;
  if (text === '') return [];
  const panels: PanelCode[] = [];
  for (const code of text.split(';').map((part) => part.trim())) {
    if (!isPanelCode(code)) {
      wrong(
        'panels',
        code,
        `unknown panel; separate panels by ";"; the panels are ${listed(panelCodes)}`,
      );
    } else if (panels.includes(code)) {
      wrong('panels', text, `duplicate panel ${code}`);
    } else if ((rules.get(code)?.type ?? 'rows') === 'rows') {
      panels.push(code);
    } else {
      wrong(
        'panels',
        code,
        'panels.yaml defines the members of this panel; remove the panel from this row',
      );
    }
  }
  return panels;
}
