import type { Universe } from '../domain/universe.ts';
import type { CloseTarget, CloseTargets } from './close-target.ts';
import { ImportRefusal } from './import-refusal.ts';
import type { SeriesColumns, TableHead } from './layouts/layout.ts';
import { bothFit, nameOfFile, resolveHeadings, resolveName } from './naming.ts';
import type { NameRules } from './naming.ts';
import type { SettledReading } from './recognise.ts';
import type { Row } from './table.ts';

/**
 * Maximum number of names that are remembered, with and without an instrument each: a file may write
 * any number of them. A name beyond it is looked up again.
 */
const namesMax = 10_000;

/** A series of a table with the instrument that each row of it is of. */
export interface BoundSeries {
  readonly columns: SeriesColumns;
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
  const rules: NameRules = {
    universe: context.universe,
    naming: reading.naming,
    ...(context.suffix !== undefined && { suffix: context.suffix }),
  };
  const headings = reading.series.flatMap(({ ticker }) =>
    ticker.type === 'heading' ? [ticker.text] : [],
  );
  const resolved = resolveHeadings(headings, rules);
  const unknown = [...resolved.unknown];
  const series: BoundSeries[] = [];
  const bind = (columns: SeriesColumns, target: CloseTarget) =>
    series.push({ columns, targetOf: () => target });
  for (const columns of reading.series) {
    const { ticker } = columns;
    if (ticker.type === 'column') {
      series.push({ columns, targetOf: byName(ticker.index, rules, context.targets) });
    } else if (ticker.type === 'heading') {
      const instrument = resolved.known.get(ticker.text);
      if (instrument !== undefined) bind(columns, context.targets.of(instrument));
    } else {
      const name = ticker.type === 'known' ? ticker.ticker : nameOfFile(head.path);
      const resolution = resolveName(name, rules);
      if (resolution.type === 'both') throw bothFit(resolution);
      if (resolution.type === 'unknown') unknown.push(resolution.spelling);
      else bind(columns, context.targets.of(resolution.instrument));
    }
  }
  if (series.length === 0) throw unknownTickers(unknown);
  return { series, columnsUnknown: unknown };
}

/** The refusal of a file none of whose instruments the universe has. */
export function unknownTickers(names: readonly string[]): ImportRefusal {
  const shown = names.slice(0, 5).join(', ') + (names.length > 5 ? ', …' : '');
  const message = `unknown ticker ${shown}; name the instrument with --ticker or --suffix`;
  return new ImportRefusal('unknown-ticker', message);
}

function bindToOne(
  head: TableHead,
  reading: SettledReading,
  { universe, targets }: BindingContext,
  ticker: string,
): BoundSeries {
  const instrument = universe.find(ticker);
  if (instrument === undefined) {
    throw new ImportRefusal('unknown-ticker', `the universe has no ${ticker}`);
  }
  const [columns, ...others] = reading.series;
  if (columns === undefined || others.length > 0) {
    throw new ImportRefusal(
      'option-mismatch',
      `--ticker ${ticker}, but each row holds closes of ${reading.series.length} instruments; ` +
        'choose one column with --column',
    );
  }
  const target = targets.of(instrument);
  if (columns.ticker.type !== 'column') return { columns, targetOf: () => target };
  const { index } = columns.ticker;
  const names = new Set(head.rows.slice(reading.skipRows).flatMap((row) => row[index] ?? []));
  const [name] = names;
  if (names.size > 1) {
    const message = `--ticker ${ticker}, but the rows name ${[...names].slice(0, 5).join(', ')}`;
    throw new ImportRefusal('option-mismatch', message);
  }
  return { columns, targetOf: (row) => (row[index] === name ? target : undefined) };
}

function byName(
  index: number,
  rules: NameRules,
  targets: CloseTargets,
): (row: Row) => CloseTarget | undefined {
  const known = new Map<string, CloseTarget>();
  const unknown = new Set<string>();
  return (row) => {
    const name = row[index] ?? '';
    const found = known.get(name);
    if (found !== undefined || unknown.has(name)) return found;
    const resolution = resolveName(name, rules);
    if (resolution.type === 'both') throw bothFit(resolution);
    if (resolution.type === 'unknown') {
      if (unknown.size < namesMax) unknown.add(name);
      return undefined;
    }
    const target = targets.of(resolution.instrument);
    if (known.size < namesMax) known.set(name, target);
    return target;
  };
}
