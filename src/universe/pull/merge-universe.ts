import type { Market } from '../../domain/calendar/market.ts';
import { isInstrumentKind } from '../../domain/instruments/instrument.ts';
import { canMature } from '../../domain/instruments/maturity.ts';
import { panelCodes, type PanelCode } from '../../domain/instruments/panel.ts';
import { tickerKey, type TickerKey } from '../../domain/instruments/ticker.ts';
import { bondColumns, type BondColumn } from '../bonds/read-cells.ts';
import { readCsvTable } from '../files/csv-table.ts';
import {
  decodeText,
  universeFiles,
  type FileText,
  type UniverseFault,
} from '../files/universe-fault.ts';
import { instrumentColumns, type InstrumentColumn } from '../read-instruments.ts';
import { readMarkets } from '../read-markets.ts';
import { readPanels, type PanelRule } from '../read-panels.ts';
import { appendRows, panelsText } from './edit-files.ts';
import { addMarkets, differencesOf } from './market-entries.ts';

/** The universe of another service, in its order, with cells as in the universe files. */
export interface OfferedUniverse {
  readonly instruments: readonly OfferedInstrument[];
  readonly markets: readonly Market[];
  /** The tickers of each panel, in its order. */
  readonly panels: ReadonlyMap<PanelCode, readonly string[]>;
  readonly terms: readonly OfferedTerms[];
}

/** The cells of a row of `instruments.csv`. */
type InstrumentCells = Readonly<Partial<Record<InstrumentColumn, string>>>;

/** A row of `instruments.csv`, without its panels. */
export type OfferedInstrument = Omit<InstrumentCells, 'panels'> &
  Readonly<Record<'ticker' | 'kind' | 'market' | 'currency', string>>;

/** A row of `bonds.csv`. */
export type OfferedTerms = Readonly<Partial<Record<BondColumn, string>>> & {
  readonly especie: string;
};

/** The files of a universe, by what they contain. */
export type UniversePart = keyof typeof universeFiles;

/** The texts of the files that exist, as they are in the files. */
export type UniverseTexts = Readonly<Partial<Record<UniversePart, string>>>;

/** What was added to a universe. */
export interface MergedUniverse {
  /** The new texts of the files that change. */
  readonly texts: UniverseTexts;
  /** The tickers of the added instruments. */
  readonly instruments: readonly string[];
  /** The codes of the added markets. */
  readonly markets: readonly string[];
  /** The tickers of the issues whose terms were added. */
  readonly terms: readonly string[];
  /** What differs and was left alone, each a sentence without its final period. */
  readonly leftAlone: readonly string[];
}

type MergeResult =
  | { readonly ok: true; readonly merged: MergedUniverse }
  | { readonly ok: false; readonly faults: readonly UniverseFault[] };

const yamlHead = (part: 'markets' | 'panels' | 'derived'): string =>
  `# docs/universe.md of Pizarra explains every key.\n#\n# ${headLines[part]}\n\n`;

const headLines = {
  markets: 'The markets of the instruments: time zones, hours, and the days without a session.',
  panels: 'The eleven panels of the contract. All of them are required, and no others are allowed.',
  derived: 'Instruments that are computed from others. The service that was read computes its own.',
};

/**
 * Adds what another service has, and a universe lacks: instruments, markets, and terms of bonds. Nothing
 * that the universe has changes: its lines stay as they are and in their order, and what differs is named.
 * A file that is missing is written anew. The result is not validated.
 */
export function mergeUniverse(local: UniverseTexts, offered: OfferedUniverse): MergeResult {
  const leftAlone: string[] = [];
  const faults: UniverseFault[] = [];
  const rowsOf = readRows(local.instruments, faults);
  const marketsText = local.markets ?? `${yamlHead('markets')}markets: {}\n`;
  const markets = readMarkets(decoded('markets', marketsText, faults));
  faults.push(...(local.markets === undefined ? [] : markets.faults));

  const newMarkets = offered.markets.filter(({ code }) => !markets.markets.has(code));
  const refused = compareMarkets(offered.markets, markets.markets, leftAlone);
  const added: OfferedInstrument[] = [];
  const conflicts = new Set<TickerKey>();
  for (const one of offered.instruments) {
    const { ticker, market } = one;
    const own = rowsOf.get(tickerKey(ticker));
    if (own === undefined) {
      if (refused.has(market)) {
        leftAlone.push(`${ticker}: not added, because its market ${market} is another one here`);
      } else added.push(one);
    } else {
      const difference = differenceOf(own, one);
      if (difference === undefined) continue;
      leftAlone.push(`${ticker}: ${difference}`);
      conflicts.add(tickerKey(ticker));
    }
  }

  const order = [
    ...Array.from(rowsOf.values(), ({ ticker = '' }) => ticker),
    ...added.map(({ ticker }) => ticker),
  ];
  const panels = local.panels ?? yamlHead('panels') + panelsText(offered.panels, order);
  const rules = readPanels(decoded('panels', panels, faults));
  if (local.panels !== undefined) faults.push(...rules.faults);

  const panelsOf = panelCells(offered.panels, rules.rules, added, leftAlone);
  const all = new Map<TickerKey, InstrumentCells>(rowsOf);
  for (const one of added) all.set(tickerKey(one.ticker), one);
  const rows = added.map((one): InstrumentCells => ({
    ...withoutWrongClass(one, all, leftAlone),
    panels: panelsOf.get(one.ticker)?.join(';') ?? '',
  }));
  const known = {
    rows: new Map([...all].filter(([key]) => !conflicts.has(key))),
    bonds: decoded('bonds', local.bonds ?? '', faults),
  };
  const terms = newTerms(offered.terms, known, leftAlone);
  if (faults.length > 0) return { ok: false, faults };

  const instruments = local.instruments ?? headerOf(instrumentColumns);
  const bonds = local.bonds ?? headerOf(bondColumns);
  const made: Record<UniversePart, string> = {
    markets: writeMarkets(marketsText, newMarkets),
    panels,
    derived: local.derived ?? `${yamlHead('derived')}derived: {}\ndirect: []\n`,
    instruments: appendRows(instruments, rows, instrumentColumns.optional),
    bonds: appendRows(bonds, terms, bondColumns.optional),
  };
  const isNeeded = (part: UniversePart) => part !== 'bonds' || terms.length > 0;
  const changed = (Object.keys(made) as readonly UniversePart[]).filter(
    (part) => made[part] !== local[part] && isNeeded(part),
  );
  return {
    ok: true,
    merged: {
      texts: Object.fromEntries(changed.map((part) => [part, made[part]])),
      instruments: added.map(({ ticker }) => ticker),
      markets: newMarkets.map(({ code }) => code),
      terms: terms.map(({ especie }) => especie),
      leftAlone,
    },
  };
}

function headerOf({ columns }: { readonly columns: readonly string[] }): string {
  return `${columns.join(',')}\n`;
}

/** The text of a file as its reader takes it: without a byte order mark, and with plain line ends. */
function decoded(part: UniversePart, text: string, faults: UniverseFault[]) {
  const file = universeFiles[part];
  return { file, text: decodeText(file, new TextEncoder().encode(text), faults) ?? '' };
}

function readRows(
  text: string | undefined,
  faults: UniverseFault[],
): ReadonlyMap<TickerKey, InstrumentCells> {
  const rows = new Map<TickerKey, InstrumentCells>();
  if (text === undefined) return rows;
  const source = decoded('instruments', text, faults);
  const onRow = ({ cells }: { readonly cells: InstrumentCells }) =>
    rows.set(tickerKey(cells.ticker ?? ''), cells);
  faults.push(...readCsvTable(source, instrumentColumns, onRow));
  return rows;
}

/** Names the markets that differ. Returns the codes of those that are other markets here. */
function compareMarkets(
  offered: readonly Market[],
  own: ReadonlyMap<string, Market>,
  leftAlone: string[],
): ReadonlySet<string> {
  const refused = new Set<string>();
  for (const market of offered) {
    const here = own.get(market.code);
    if (here === undefined) continue;
    if (here.timeZone !== market.timeZone) {
      refused.add(market.code);
      leftAlone.push(
        `market ${market.code}: time zone ${here.timeZone} here, ${market.timeZone} there`,
      );
      continue;
    }
    const differences = differencesOf(here, market);
    if (differences.length > 0) {
      leftAlone.push(`market ${market.code}: other ${differences.join(', ')} there`);
    }
  }
  return refused;
}

/** What distinguishes two instruments of one ticker. Undefined if they may be the same one. */
function differenceOf(own: InstrumentCells, offered: OfferedInstrument): string | undefined {
  const columns = (['kind', 'market', 'currency'] as const).filter(
    (column) => own[column] !== offered[column],
  );
  if (columns.length === 0) return undefined;
  return columns
    .map((column) => `${column} ${own[column]} here, ${offered[column]} there`)
    .join('; ');
}

/** The panels of each new row: those whose members come from rows. */
function panelCells(
  panels: OfferedUniverse['panels'],
  rules: ReadonlyMap<PanelCode, PanelRule>,
  added: readonly OfferedInstrument[],
  leftAlone: string[],
): ReadonlyMap<string, readonly PanelCode[]> {
  const isNew = new Set(added.map(({ ticker }) => ticker));
  const codes = new Map<string, PanelCode[]>();
  for (const code of panelCodes) {
    const members = (panels.get(code) ?? []).filter((ticker) => isNew.has(ticker));
    const rule = rules.get(code);
    if (rule?.type === 'rows') {
      for (const ticker of members) codes.getOrInsertComputed(ticker, () => []).push(code);
    } else if (rule?.type === 'members') {
      const named = new Set(rule.tickers.map(({ value }) => tickerKey(value)));
      const lacking = members.filter((ticker) => !named.has(tickerKey(ticker)));
      if (lacking.length > 0) {
        leftAlone.push(
          `panel ${code}: panels.yaml lists its members, without ${lacking.join(', ')}`,
        );
      }
    }
  }
  return codes;
}

/** A row whose class in pesos is another instrument here is no class in dollars. */
function withoutWrongClass(
  cells: OfferedInstrument,
  all: ReadonlyMap<TickerKey, InstrumentCells>,
  leftAlone: string[],
): InstrumentCells {
  const { base = '', ticker, kind, currency } = cells;
  if (base === '') return cells;
  const row = all.get(tickerKey(base));
  if (row?.kind === kind && row.currency === 'ARS' && currency === 'USD') {
    return { ...cells, base: row.ticker ?? base };
  }
  leftAlone.push(`${ticker}: added without its base ${base}, which is another instrument here`);
  return { ...cells, base: '', class: '' };
}

function writeMarkets(text: string, markets: readonly Market[]): string {
  // A file that is written anew has blocks, which are easier to edit than braces.
  const base = text.replace(/^markets: \{\}\n/m, 'markets:\n');
  return markets.length === 0 ? text : addMarkets(base, markets);
}

/**
 * The terms of the issues that have no class in `bonds.csv` yet. An issue whose first ticker has no row in
 * `instruments.csv` is left out, and so is a class without a row.
 */
function newTerms(
  offered: readonly OfferedTerms[],
  known: {
    /** The rows of `instruments.csv`, added ones included, without those that are other instruments here. */
    readonly rows: ReadonlyMap<TickerKey, InstrumentCells>;
    readonly bonds: FileText;
  },
  leftAlone: string[],
): readonly OfferedTerms[] {
  const used = tickersOf(known.bonds);
  return offered.flatMap((cells): readonly OfferedTerms[] => {
    const tickers = classesOf(cells);
    if (tickers.some((ticker) => used.has(tickerKey(ticker)))) return [];
    const [first, ...others] = tickers.flatMap((ticker) => {
      const row = known.rows.get(tickerKey(ticker));
      return row !== undefined && isDebt(row) ? [row] : [];
    });
    const named = cells.especie;
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
    return [{ ...cells, especie: first.ticker ?? named, series }];
  });
}

/** The tickers of all classes of an issue, that of `especie` first. */
function classesOf({ especie, series = '' }: OfferedTerms): readonly string[] {
  return [especie, ...series.split(/\s+/)].filter((ticker) => ticker !== '');
}

function isDebt({ kind = '' }: InstrumentCells): boolean {
  return isInstrumentKind(kind) && canMature(kind);
}

/** The tickers that have terms. A faulty file is reported when the whole universe is validated. */
function tickersOf(source: FileText): ReadonlySet<TickerKey> {
  const used = new Set<TickerKey>();
  if (source.text === '') return used;
  readCsvTable(source, bondColumns, ({ cells }) => {
    for (const ticker of classesOf(cells)) used.add(tickerKey(ticker));
  });
  return used;
}
