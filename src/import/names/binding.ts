import { remembered } from '../../lib/results/remembered.ts';
import { ImportRefusal, operatorKnows, optionText } from '../refusals/import-refusal.ts';
import type { CloseTarget, CloseTargets } from '../closes/close-target.ts';
import {
  isUnclear,
  resolveName,
  unclearName,
  unknownTickers,
  type KnownNames,
  type NameRules,
} from './naming.ts';
import type { SeriesColumns } from '../layouts/layout.ts';
import { resolveHeadings } from './matrix-headings.ts';
import { nameOfFile } from '../files/file-name.ts';
import type { SettledReading } from '../recognition/recognise.ts';
import { cellAt, type CellRow } from '../cells/table.ts';
import { TableNames } from './ticker-doubt.ts';

/** Maximum number of remembered names. A file may contain any number of names. */
const namesMax = 10_000;

/** A series of a table with the instrument of each of its rows. */
export interface BoundSeries {
  readonly columns: SeriesColumns;
  /** The name of the instrument in a row; undefined where the rows have no names. */
  readonly nameOf: ((row: CellRow) => string) | undefined;
  /** The instrument of a row; undefined when the universe does not have it, or its name may be a word. */
  readonly targetOf: (row: CellRow) => CloseTarget | undefined;
  /** What the name in a row may be, if it may be a word. */
  readonly doubtOf?: (row: CellRow) => string | undefined;
}

/** What binding depends on besides the table. */
export interface BindingContext {
  readonly universe: KnownNames;
  readonly targets: CloseTargets;
  /** The value of --ticker. */
  readonly ticker?: string | typeof operatorKnows | undefined;
  readonly suffix?: string | undefined;
  /** The value of --column. */
  readonly column?: string | undefined;
}

/**
 * Finds the instrument of each series: the one that the operator named, the ones that the table
 * names, or the one in the file's name.
 *
 * @throws {ImportRefusal} when there is no instrument, or more than one is possible.
 */
export function bindSeries(
  reading: SettledReading,
  context: BindingContext,
): {
  readonly series: readonly BoundSeries[];
  readonly columnsUnknown: readonly string[];
  /** The columns that are left out because their names may be words, with what they may be. */
  readonly columnsDoubtful: readonly string[];
} {
  if (context.ticker !== undefined) {
    const series = [bindToOne(reading, context, context.ticker)];
    return { series, columnsUnknown: [], columnsDoubtful: [] };
  }
  const rules = nameRulesOf(reading, context);
  const headings = reading.series.flatMap(({ ticker }) =>
    ticker.type === 'heading' ? [ticker.text] : [],
  );
  const resolved = resolveHeadings(headings, rules, allHeadings(reading) ?? headings);
  const unknown = [...resolved.unknown];
  const series: BoundSeries[] = [];
  const bind = (columns: SeriesColumns, target: CloseTarget) =>
    series.push({ columns, nameOf: undefined, targetOf: () => target });
  for (const columns of reading.series) {
    const nameOf = nameIn(columns);
    const { ticker } = columns;
    if (nameOf !== undefined) {
      series.push(bindByName(filledRows(reading), columns, nameOf, rules, context.targets));
    } else if (ticker.type === 'heading') {
      const instrument = resolved.known.get(ticker.text);
      if (instrument !== undefined) bind(columns, context.targets.of(instrument));
    } else {
      const name = ticker.type === 'known' ? ticker.ticker : nameOfFile(reading.path);
      const resolution = resolveName(name, rules);
      const names = new TableNames([name], 'file', rules);
      if (ticker.type === 'file' && names.mayBeWord(name, resolution)) throw names.refusal([name]);
      if (isUnclear(resolution)) throw unclearName(resolution, true);
      if (resolution === undefined) unknown.push(name);
      else bind(columns, context.targets.of(resolution));
    }
  }
  if (series.length > 0) {
    const columnsDoubtful = resolved.doubtful.map(({ message }) => message);
    return { series, columnsUnknown: unknown, columnsDoubtful };
  }
  throw unknownTickers(unknown, headings.length > 0, rules);
}

/** How the names of a table are resolved. */
export function nameRulesOf(
  { naming }: SettledReading,
  { universe, suffix }: Pick<BindingContext, 'universe' | 'suffix'>,
): NameRules {
  return { universe, naming, suffix };
}

/** The function that returns the instrument's name in a row, where the rows have names. */
function nameIn({ ticker }: SeriesColumns): ((row: CellRow) => string) | undefined {
  if (ticker.type === 'row') return ticker.tickerOf;
  if (ticker.type !== 'column') return undefined;
  const { index } = ticker;
  return (row) => cellAt(row, index);
}

function bindToOne(
  reading: SettledReading,
  context: BindingContext,
  ticker: string | typeof operatorKnows,
): BoundSeries {
  const target = targetNamed(ticker, context);
  const columns = onlySeries(reading, context, target);
  const nameOf = nameIn(columns);
  if (nameOf === undefined) {
    // The heading of the column is no longer the name of the instrument.
    const known = { type: 'known', ticker: target.instrument.ticker } as const;
    return { columns: { ...columns, ticker: known }, nameOf, targetOf: () => target };
  }
  const [name, ...others] = new Set(filledRows(reading).map(nameOf));
  if (others.length > 0) {
    const shown = [name, ...others].slice(0, 5).join(', ');
    throw new ImportRefusal(
      'option-mismatch',
      `${givenTicker(target)} does not fit: the rows name ${shown}`,
      { kind: 'leave-out-ticker', suggestions: [{ ticker: null }] },
    );
  }
  return { columns, nameOf, targetOf: (row) => (nameOf(row) === name ? target : undefined) };
}

function targetNamed(
  ticker: string | typeof operatorKnows,
  { universe, targets }: BindingContext,
): CloseTarget {
  if (ticker === operatorKnows) return targets.anyone;
  const instrument = universe.find(ticker);
  if (instrument !== undefined) return targets.of(instrument);
  const message = `${optionText('ticker', ticker)} is not in the universe`;
  throw new ImportRefusal('unknown-ticker', message);
}

/** The option as the operator wrote it. */
function givenTicker({ instrument }: CloseTarget): string {
  return optionText('ticker', instrument.ticker);
}

/** The only series with closes. With --column, the series of that column. */
function onlySeries(
  reading: SettledReading,
  { column }: BindingContext,
  target: CloseTarget,
): SeriesColumns {
  const rows = filledRows(reading);
  const filled = reading.series.filter(({ when }) => when === undefined || rows.some(when));
  // The close of the last series is the column that was named: see `withColumn`.
  const [only, ...others] = column === undefined ? filled : reading.series.slice(-1);
  if (only !== undefined && others.length === 0) return only;
  const choice = new Set(filled.map(({ close }) => cellAt(reading.header, close)));
  throw new ImportRefusal(
    'option-mismatch',
    `${givenTicker(target)} does not fit: each row has closes of ${filled.length} instruments`,
    { kind: 'choose-column', suggestions: [...choice].map((name) => ({ column: name })) },
  );
}

/** The first rows of a table that are not blank. */
function filledRows({ rows }: SettledReading): readonly CellRow[] {
  return rows.filter((row) => row.length > 1);
}

function bindByName(
  rows: readonly CellRow[],
  columns: SeriesColumns,
  nameOf: (row: CellRow) => string,
  rules: NameRules,
  targets: CloseTargets,
): BoundSeries {
  const found = new Set(rows.map(nameOf));
  const names = new TableNames([...found], 'cell', rules);
  const resolve = remembered(namesMax, (name: string) => {
    const resolution = resolveName(name, rules);
    const isWord = names.mayBeWord(name, resolution);
    return { resolution, doubt: isWord ? names.refusal([name]) : undefined };
  });
  const targetOf = (name: string): CloseTarget | undefined => {
    const { resolution, doubt } = resolve(name);
    if (resolution === undefined || doubt !== undefined) return undefined;
    if (isUnclear(resolution)) throw unclearName(resolution, false);
    return targets.of(resolution);
  };
  const all = [...found].map(resolve);
  const [refusal] = all.flatMap(({ doubt }) => doubt ?? []);
  const isAnyOther = all.some(
    ({ resolution, doubt }) => resolution !== undefined && doubt === undefined,
  );
  if (refusal !== undefined && !isAnyOther) throw refusal;
  return {
    columns,
    nameOf,
    targetOf: (row) => targetOf(nameOf(row)),
    doubtOf: (row) => resolve(nameOf(row)).doubt?.problem,
  };
}

/** All headings of a matrix, whichever the operator has chosen. */
function allHeadings({ layout, header, date }: SettledReading): readonly string[] | undefined {
  if (layout !== 'wide') return undefined;
  const field = /:(?:open|high|low|close|volume)$/i;
  return header.flatMap((cell, at) => (at === date ? [] : [cell.replace(field, '')]));
}
