import type { Universe } from '../domain/universe.ts';
import type { CloseTarget, CloseTargets } from './close-target.ts';
import { ImportRefusal } from './import-refusal.ts';
import type { SeriesColumns, TableHead } from './layouts/layout.ts';
import { resolveHeadings } from './matrix-headings.ts';
import { nameOfFile, resolveName, unclearName } from './naming.ts';
import type { NameRules } from './naming.ts';
import type { SettledReading } from './recognise.ts';
import type { Row } from './cells/table.ts';
import { unknownTickers } from './unknown-tickers.ts';

/**
 * Maximum number of names that are remembered, with and without an instrument each: a file may write
 * any number of them. A name beyond it is looked up again.
 */
const namesMax = 10_000;

/** A series of a table with the instrument that each row of it is of. */
export interface BoundSeries {
  readonly columns: SeriesColumns;
  /** What a row calls its instrument; undefined where the rows do not say. */
  readonly nameOf: ((row: Row) => string) | undefined;
  /** Undefined for a row that names an instrument which the universe does not have. */
  readonly targetOf: (row: Row) => CloseTarget | undefined;
}

/** What binding needs to know. */
export interface BindingContext {
  readonly universe: Universe;
  readonly targets: CloseTargets;
  /** The ticker that the operator named. */
  readonly ticker?: string;
  readonly suffix?: string;
  /** The column that the operator named. */
  readonly column?: string;
}

/**
 * Finds the instrument of each series: what the operator named, what the table names, or what the
 * file is called.
 *
 * @throws {ImportRefusal} when there is none, or there are two.
 */
export function bindSeries(
  head: TableHead,
  reading: SettledReading,
  context: BindingContext,
): { readonly series: readonly BoundSeries[]; readonly columnsUnknown: readonly string[] } {
  if (context.ticker !== undefined) {
    return { series: [bindToOne(head, reading, context, context.ticker)], columnsUnknown: [] };
  }
  const rules = nameRulesOf(reading, context);
  const headings = reading.series.flatMap(({ ticker }) =>
    ticker.type === 'heading' ? [ticker.text] : [],
  );
  const resolved = resolveHeadings(headings, rules);
  const unknown = [...resolved.unknown];
  const series: BoundSeries[] = [];
  const bind = (columns: SeriesColumns, target: CloseTarget) =>
    series.push({ columns, nameOf: undefined, targetOf: () => target });
  for (const columns of reading.series) {
    const nameOf = nameIn(columns);
    const { ticker } = columns;
    if (nameOf !== undefined) {
      series.push({ columns, nameOf, targetOf: byName(nameOf, rules, context.targets) });
    } else if (ticker.type === 'heading') {
      const instrument = resolved.known.get(ticker.text);
      if (instrument !== undefined) bind(columns, context.targets.of(instrument));
    } else {
      const name = ticker.type === 'known' ? ticker.ticker : nameOfFile(head.path);
      const resolution = resolveName(name, rules);
      if (resolution.type === 'unclear') throw unclearName(resolution, true);
      if (resolution.type === 'unknown') unknown.push(name);
      else bind(columns, context.targets.of(resolution.instrument));
    }
  }
  if (series.length > 0) return { series, columnsUnknown: unknown };
  throw unknownTickers(unknown, headings.length > 0 ? 'headings' : 'file', rules);
}

/** How the names of a table are to be taken. */
export function nameRulesOf(
  { naming }: SettledReading,
  { universe, suffix }: Pick<BindingContext, 'universe' | 'suffix'>,
): NameRules {
  return { universe, naming, ...(suffix !== undefined && { suffix }) };
}

/** What a row of a series calls its instrument, where the rows say. */
function nameIn({ ticker }: SeriesColumns): ((row: Row) => string) | undefined {
  if (ticker.type === 'row') return ticker.tickerOf;
  if (ticker.type !== 'column') return undefined;
  const { index } = ticker;
  return (row) => row[index] ?? '';
}

function bindToOne(
  head: TableHead,
  reading: SettledReading,
  context: BindingContext,
  ticker: string,
): BoundSeries {
  const instrument = context.universe.find(ticker);
  if (instrument === undefined) {
    throw new ImportRefusal(
      'unknown-ticker',
      `the universe has no ${ticker}, which --ticker names`,
    );
  }
  const columns = onlySeries(head, reading, context, ticker);
  const target = context.targets.of(instrument);
  const nameOf = nameIn(columns);
  if (nameOf === undefined) return { columns, nameOf, targetOf: () => target };
  const [name, ...others] = namesIn(head, reading, columns);
  if (others.length > 0) {
    const shown = [name, ...others].slice(0, 5).join(', ');
    const message = `--ticker ${ticker}, but the rows name ${shown}; leave --ticker out`;
    throw new ImportRefusal('option-mismatch', message);
  }
  return { columns, nameOf, targetOf: (row) => (nameOf(row) === name ? target : undefined) };
}

/** The one series of a table that rows have a close of; the one that the operator's column is of. */
function onlySeries(
  head: TableHead,
  reading: SettledReading,
  { column }: BindingContext,
  ticker: string,
): SeriesColumns {
  const filled = reading.series.filter(
    (one) => one.when === undefined || namesIn(head, reading, one).length > 0,
  );
  // A column that was named is the close of the last series: see `withColumn`.
  const [only, ...others] = column === undefined ? filled : reading.series.slice(-1);
  if (only !== undefined && others.length === 0) return only;
  const choice = new Set(filled.map(({ close }) => reading.header[close] ?? ''));
  throw new ImportRefusal(
    'option-mismatch',
    `--ticker ${ticker}, but each row holds closes of ${filled.length} instruments; choose one ` +
      `column with --column: ${shownColumns([...choice])}`,
  );
}

function shownColumns(names: readonly string[]): string {
  return names.slice(0, 8).join(', ') + (names.length > 8 ? ', …' : '');
}

/** The names in the first rows of a series. */
function namesIn(
  head: TableHead,
  reading: SettledReading,
  columns: SeriesColumns,
): readonly string[] {
  const nameOf = nameIn(columns);
  if (nameOf === undefined) return [];
  const rows = head.rows.slice(reading.skipRows).filter((row) => row.length > 1);
  return [...new Set(rows.filter((row) => columns.when?.(row) !== false).map(nameOf))];
}

function byName(
  nameOf: (row: Row) => string,
  rules: NameRules,
  targets: CloseTargets,
): (row: Row) => CloseTarget | undefined {
  const known = new Map<string, CloseTarget>();
  const unknown = new Set<string>();
  return (row) => {
    const name = nameOf(row);
    const found = known.get(name);
    if (found !== undefined || unknown.has(name)) return found;
    const resolution = resolveName(name, rules);
    if (resolution.type === 'unclear') throw unclearName(resolution, false);
    if (resolution.type === 'unknown') {
      if (unknown.size < namesMax) unknown.add(name);
      return undefined;
    }
    const target = targets.of(resolution.instrument);
    if (known.size < namesMax) known.set(name, target);
    return target;
  };
}
