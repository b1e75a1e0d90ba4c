import {
  dollarPayments,
  instrumentKinds,
  isInstrumentKind,
  type ChangeUnit,
  type DollarClass,
  type Instrument,
  type InstrumentKind,
} from '../domain/instruments/instrument.ts';
import { canMature } from '../domain/instruments/maturity.ts';
import { isPanelCode, panelCodes, type PanelCode } from '../domain/instruments/panel.ts';
import {
  parseTicker,
  tickerKey,
  tickerLengthMax,
  type Ticker,
  type TickerKey,
} from '../domain/instruments/ticker.ts';
import { parsePlainDate } from '../domain/calendar/plain-date.ts';
import type { KnownInstruments } from './files/known-instruments.ts';
import { readCsvTable, type CsvRow, type TableColumns } from './files/csv-table.ts';
import { listed, noDate, type UniverseFault, type FileText } from './files/universe-fault.ts';
import type { PanelRule } from './read-panels.ts';

const columns = [
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

export type InstrumentColumn = (typeof columns)[number];

/**
 * The columns of `instruments.csv` (docs/universe.md). A universe without depositary receipts, bonds, classes in
 * dollars and unusual prices need not have those after `panels`.
 */
export const instrumentColumns: TableColumns<InstrumentColumn> = {
  columns,
  optional: new Set(columns.slice(columns.indexOf('panels') + 1)),
};

type Row = CsvRow<InstrumentColumn>;

/** Maximum length of an instrument's name, in characters. */
const nameLengthMax = 200;
const decimalsMax = 15;
const changeUnits: readonly ChangeUnit[] = ['percent', 'points'];
const pricePerMax = 1_000_000;
const currencyShape = /^(?:[A-Z]{3,5}|%|bp)$/;

/** The contents of `instruments.csv`. */
export interface InstrumentTable extends KnownInstruments {
  /** The rows without faults, in the order of the file. */
  readonly instruments: readonly Instrument[];
  /** For each panel with members from rows, its instruments in the order of the file. */
  readonly members: ReadonlyMap<PanelCode, readonly Instrument[]>;
  readonly faults: readonly UniverseFault[];
}

/**
 * Reads the table of instruments. `markets` are the codes of all markets, undefined when that file
 * could not be read. `panels` are the rules of the panels that could be read.
 */
export function readInstruments(
  source: FileText,
  known: {
    readonly markets: ReadonlySet<string> | undefined;
    readonly panels: ReadonlyMap<PanelCode, PanelRule>;
  },
): InstrumentTable {
  const instruments: Instrument[] = [];
  const byKey = new Map<TickerKey, Instrument>();
  const declared = new Map<TickerKey, number>();
  const members = new Map<PanelCode, Instrument[]>();
  const classes: DollarRow[] = [];
  const onRow = (row: Row): void => {
    const ticker = readTicker(row, declared);
    const rest = readRow(row, known.markets);
    const panels = readPanelCodes(row, known.panels);
    if (ticker === undefined || rest === undefined || !row.isSound) return;
    const instrument: Instrument = { ticker, ...rest, position: instruments.length };
    instruments.push(instrument);
    byKey.set(tickerKey(ticker), instrument);
    if (instrument.dollarClass !== undefined) classes.push({ instrument, row });
    for (const panel of panels) members.set(panel, [...(members.get(panel) ?? []), instrument]);
  };
  const faults = readCsvTable(source, instrumentColumns, onRow);
  checkClasses(classes, byKey, declared);
  return { instruments, byKey, declared, members, faults };
}

function readTicker(row: Row, declared: Map<TickerKey, number>) {
  const ticker = parseTicker(row.cells.ticker);
  if (ticker === undefined) {
    row.wrong(
      'ticker',
      `not a valid ticker; a ticker begins with a letter or digit and has at most ${tickerLengthMax} characters (letters, digits, single spaces, . _ / & ^ = + -)`,
    );
    return undefined;
  }
  const key = tickerKey(ticker);
  const before = declared.get(key);
  if (before === undefined) {
    declared.set(key, row.line);
    return ticker;
  }
  row.wrong('ticker', `duplicate ticker; line ${before} has it already, and case is ignored`);
  return undefined;
}

function readRow(row: Row, markets: ReadonlySet<string> | undefined) {
  const { name, market, currency, kind, issuer } = row.cells;
  if (name === '') row.wrong('name', 'must not be empty');
  if (name.length > nameLengthMax) row.wrong('name', `has more than ${nameLengthMax} characters`);
  if (markets?.has(market) === false) {
    row.wrong('market', `unknown market; the markets are ${listed(markets)}`);
  }
  if (!currencyShape.test(currency)) {
    row.wrong('currency', 'not a valid currency; use three to five capital letters, % or bp');
  }
  const decimals = row.read(
    'decimals',
    (text) => (/^\d{1,2}$/.test(text) && Number(text) <= decimalsMax ? Number(text) : undefined),
    `must be a whole number from 0 to ${decimalsMax}, or empty for the default of the kind`,
  );
  const changeUnit = row.read(
    'change_unit',
    (text) => changeUnits.find((unit) => unit === text),
    'must be percent or points, or empty for the default of the kind',
  );
  const pricePer = row.read(
    'price_per',
    (text) =>
      /^[1-9]\d{0,6}$/.test(text) && Number(text) <= pricePerMax ? Number(text) : undefined,
    `must be a whole number from 1 to ${pricePerMax}, such as 100 for prices of 100 nominal, or empty for the default of the kind`,
  );
  if (!isInstrumentKind(kind)) {
    row.wrong('kind', `unknown kind; the kinds are ${listed(Object.keys(instrumentKinds))}`);
    return undefined;
  }
  const usual = instrumentKinds[kind];
  const receipt = readReceipt(row, kind);
  const maturity = readMaturity(row, kind);
  const dollarClass = readClass(row);
  if (issuer.length > nameLengthMax) {
    row.wrong('issuer', `has more than ${nameLengthMax} characters`);
  }
  return {
    name,
    kind,
    market,
    currency,
    decimals: decimals ?? usual.decimals,
    changeUnit: changeUnit ?? usual.changeUnit,
    pricePer: pricePer ?? usual.pricePer,
    ...receipt,
    ...maturity,
    ...(dollarClass && { dollarClass }),
    ...(issuer !== '' && { issuer }),
  };
}

/** The maturity of a bond or a bill. The cell may be empty; that of any other kind must be. */
export function readMaturity(
  row: CsvRow<'maturity'>,
  kind: InstrumentKind,
): Pick<Instrument, 'maturity'> {
  const mayHave = row.cells.maturity === '' || canMature(kind);
  if (!mayHave) {
    row.wrong('maturity', 'only a bond, a corporate-bond or a bill matures; leave it empty');
    return {};
  }
  const maturity = row.read('maturity', parsePlainDate, noDate);
  return maturity === undefined ? {} : { maturity };
}

const ratioShape = /^[1-9]\d{0,5}:[1-9]\d{0,5}$/;

/**
 * What a depositary receipt represents, where that is known. Both cells may be empty; those of other kinds must
 * be.
 */
export function readReceipt(
  row: CsvRow<'ticker' | 'ratio' | 'underlying'>,
  kind: InstrumentKind,
): Pick<Instrument, 'ratio' | 'underlying'> {
  const { ticker, ratio, underlying } = row.cells;
  const isReceipt = kind === 'cedear' || kind === 'adr';
  for (const column of ['ratio', 'underlying'] as const) {
    if (row.cells[column] === '' || isReceipt) continue;
    row.wrong(column, 'only a cedear or an adr has this cell; leave it empty');
  }
  if (isReceipt && ratio !== '' && !ratioShape.test(ratio)) {
    row.wrong('ratio', 'not a valid ratio; use receipts:shares, such as 20:1');
  }
  if (isReceipt && underlying !== '') {
    if (parseTicker(underlying) === undefined) {
      row.wrong('underlying', 'not a valid ticker; leave the cell empty if it is unknown');
    } else if (tickerKey(underlying) === tickerKey(ticker)) {
      row.wrong('underlying', 'an instrument cannot be its own underlying');
    }
  }
  return { ...(ratio !== '' && { ratio }), ...(underlying !== '' && { underlying }) };
}

/** The two cells of a class in dollars. Both are empty, or neither. */
function readClass(row: Row): DollarClass | undefined {
  const { base: written, class: payment } = row.cells;
  if (written === '' && payment === '') return undefined;
  const base = parseTicker(written);
  const paid = dollarPayments.find((one) => one === payment);
  if (base === undefined) {
    row.wrong('base', 'must be the ticker of the class in pesos; leave class empty without one');
  }
  if (paid === undefined) {
    row.wrong('class', `must be ${listed(dollarPayments)}; leave base empty without one`);
  }
  return base && paid && { base, paid };
}

/** The row of an instrument with a class in dollars. */
interface DollarRow {
  readonly instrument: Instrument;
  readonly row: Row;
}

/**
 * Compares the classes in dollars with their classes in pesos, once all rows are read.
 *
 * @param declared the tickers of all rows. The row of a base that has faults of its own is not compared.
 */
function checkClasses(
  classes: readonly DollarRow[],
  byKey: ReadonlyMap<TickerKey, Instrument>,
  declared: ReadonlyMap<TickerKey, number>,
): void {
  const seen = new Map<string, Instrument>();
  for (const { instrument, row } of classes) {
    const { dollarClass } = instrument;
    if (dollarClass === undefined) continue;
    const { base: written, paid } = dollarClass;
    const key = tickerKey(written);
    const base = byKey.get(key);
    if (!declared.has(key)) row.wrong('base', 'unknown ticker; add a row for it', written);
    if (base === undefined) continue;
    const fault = faultOf(instrument, base, written);
    if (fault !== undefined) row.wrong('base', fault, written);
    const other = seen.get(`${key} ${paid}`);
    if (other !== undefined) {
      row.wrong('class', `${other.ticker} is the ${paid} class of ${base.ticker} already`);
    }
    seen.set(`${key} ${paid}`, instrument);
  }
}

/** Why one instrument cannot be the class in pesos of another one. */
function faultOf(instrument: Instrument, base: Instrument, written: Ticker): string | undefined {
  if (base.ticker !== written) return `write it as its row does, ${base.ticker}`;
  if (instrument.currency !== 'USD') return 'only an instrument in USD is a class in dollars';
  if (base.currency !== 'ARS') return `${base.ticker} is not in ARS; name the class in pesos`;
  if (base.kind !== instrument.kind) return `${base.ticker} is a ${base.kind}; both have one kind`;
  return undefined;
}

function readPanelCodes(row: Row, rules: ReadonlyMap<PanelCode, PanelRule>): readonly PanelCode[] {
  const text = row.cells.panels;
  if (text === '') return [];
  const panels: PanelCode[] = [];
  for (const code of text.split(';').map((part) => part.trim())) {
    if (!isPanelCode(code)) {
      const known = listed(panelCodes);
      row.wrong('panels', `unknown panel; separate panels by ";"; the panels are ${known}`, code);
    } else if (panels.includes(code)) {
      row.wrong('panels', `duplicate panel ${code}`);
    } else if ((rules.get(code)?.type ?? 'rows') === 'rows') {
      panels.push(code);
    } else {
      row.wrong(
        'panels',
        'panels.yaml defines the members of this panel; remove the panel from this row',
        code,
      );
    }
  }
  return panels;
}
