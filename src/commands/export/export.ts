import { command } from '../form/command.ts';
import { csvLines } from '../form/csv.ts';
import { dayRange, parseDay } from '../form/flags.ts';
import { formatCounted } from '../form/report.ts';
import { parquetFile } from './parquet.ts';
import { tableNames, tableOf, type Counts, type TableName } from './tables.ts';
import { createWriteStream } from 'node:fs';
import type { Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Instrument } from '../../domain/instruments/instrument.ts';
import { isPanelCode, panelCodes } from '../../domain/instruments/panel.ts';
import type { PlainDate } from '../../domain/calendar/plain-date.ts';
import type { Ticker } from '../../domain/instruments/ticker.ts';
import type { Universe } from '../../domain/instruments/universe.ts';
import type { StorePlace } from '../../store/contract/place.ts';
import { changesTables, type ReadTable } from '../../import/changes/changes-tables.ts';
import { textsOf, type ExportedTable } from '../../import/cells/exported-columns.ts';
import { openPlace } from '../../node/place/open-place.ts';
import { OperatorFault, UsageFault } from '../../lib/reports/operator-fault.ts';
import { firstOf } from '../../lib/text/first-of.ts';
import { hasDemonstration } from '../../operator/store/open-existing.ts';
import { requireInstrument } from '../../operator/universe/require-instrument.ts';
import { requireUniverse } from '../../node/market/require-universe.ts';

/** Maximum number of instruments outside the universe that are named. */
const strangersShownMax = 5;

export const exportCommand = command({
  name: 'export',
  summary:
    'write daily closes as CSV, which "import" reads back unchanged, or any table as CSV or Parquet',
  args: { tickers: ['[TICKER...]', 'the instruments; if absent, the whole universe'] },
  flags: {
    table: {
      value: '<TABLE>',
      text: 'what to export',
      choices: Object.keys(tableNames) as readonly TableName[],
      fallback: 'closes',
    },
    format: {
      value: '<FORMAT>',
      text: 'csv, or parquet for DuckDB, pandas and similar programs',
      choices: ['csv', 'parquet'],
      fallback: 'csv',
    },
    panel: { value: '<CODE>', text: 'export the instruments of a panel' },
    from: { value: '<DATE>', text: 'first day (YYYY-MM-DD)', parse: parseDay },
    to: { value: '<DATE>', text: 'last day (YYYY-MM-DD)', parse: parseDay },
    withChanges: {
      text: 'also the values that later ones have replaced, with the instant and the origin of each change; if nothing is selected, a CSV of closes has corporate actions, indices and terms of bonds, too',
    },
    demo: { text: 'export the made-up prices of the demonstration' },
    output: { short: '-o', value: '<FILE>', text: 'a new file; by default, standard output' },
  },
  settings: ['store', 'universe'],
  examples: [
    'pizarra export > closes.csv',
    'pizarra export --panel LID --from 2026-01-01 -o leaders.csv',
    'pizarra export --table bars --format parquet -o bars.parquet',
  ],
  async run({ args, flags, configuration }) {
    const { settings } = await configuration();
    const { output = process.stdout, format } = flags;
    if (format === 'parquet' && output === process.stdout && process.stdout.isTTY) {
      throw new UsageFault('A Parquet file is not text. Set --output, or redirect the output.');
    }
    const { store: storeAt, universe: universeDirectory } = settings;
    const request = { ...args, ...flags, output, storeAt, universeDirectory };
    const summary = await runExport(request).catch((fault: NodeJS.ErrnoException) => {
      // The reader of standard output may stop early (`| head`).
      if (fault.code !== 'EPIPE') throw fault;
      return undefined;
    });
    if (summary === undefined) return {};
    const { instruments, rows, replaced, strangers, others = [] } = summary;
    const name = tableNames[flags.table];
    return {
      notes: [
        `${formatCounted(rows, name)}${instruments === undefined ? '' : ` of ${formatCounted(instruments, 'instruments')}`}.`,
        ...(flags.withChanges ? [`${replaced} ${name} that others have replaced.`] : []),
        ...others.map(
          ([other, count]) => `${count} ${other}, with those that others have replaced.`,
        ),
        ...(flags.demo ? ['They are made up: the demonstration invents its prices.'] : []),
        ...(strangers.length > 0
          ? [
              `${strangers.length} instruments with a history are not in the universe, and were not exported: ${firstOf(strangers, strangersShownMax)}.`,
            ]
          : []),
      ],
    };
  },
});

/** The request of an export. Without tickers and panel it exports the whole universe. */
export interface ExportRequest {
  readonly storeAt: string;
  readonly universeDirectory: string;
  readonly table?: TableName;
  readonly format?: 'csv' | 'parquet';
  readonly tickers: readonly string[];
  readonly panel?: string | undefined;
  /** Both included. */
  readonly from?: PlainDate | undefined;
  readonly to?: PlainDate | undefined;
  /**
   * Also writes the values that others have replaced, and the instant and origin of each change. A CSV of all closes
   * then has the other tables that remember their changes, too.
   */
  readonly withChanges?: boolean;
  /** Exports the demonstration of the store. */
  readonly demo?: boolean;
  /** A new file, or a stream that stays open. */
  readonly output: string | Writable;
}

/**
 * Writes a table exactly as it is stored: as CSV (RFC 4180) or as Parquet. Closes and bars follow one instrument after
 * the other, in the order of the request or of the universe, and only those of one instrument, or of one group of rows
 * of Parquet, are in memory at a time. A service and imports may be running. Gives also the tickers with a history that
 * are no longer in the universe, which are not exported.
 *
 * @throws {OperatorFault} when the universe has faults or lacks an instrument, the file cannot be created, or nothing is
 *   stored.
 * @throws {StoreFault} when the store cannot be read.
 */
export async function runExport(request: ExportRequest): Promise<
  Readonly<Counts> & {
    readonly strangers: readonly Ticker[];
    /** The rows of the tables that follow the closes, by their names. */
    readonly others?: readonly (readonly [table: string, rows: number])[];
  }
> {
  const universe = await requireUniverse(request.universeDirectory);
  const instruments = selected(universe, request);
  const { tickers, panel, from, to, output, table = 'closes', format = 'csv' } = request;
  const { withChanges: hasChanges = false, demo = false } = request;
  const isSelected = tickers.length > 0 || panel !== undefined;
  const isRanged = from !== undefined || to !== undefined;
  const isWhole = !isSelected && !isRanged;
  await using stored = openPlace(request.storeAt);
  await using demonstration = demo ? stored.demonstration() : undefined;
  const place = demonstration ?? stored;
  await using store = await place.open({ mode: 'read' });
  const range = dayRange({ from, to });
  const selection = { instruments, isSelected, range, isRanged, hasChanges };
  const followers =
    table === 'closes' && format === 'csv' && hasChanges && isWhole
      ? await Promise.all(
          Object.values(changesTables).map(async (one) => {
            return { name: one.name, ...(await one.exported(store, { hasChanges })) };
          }),
        )
      : undefined;
  const strangers =
    table === 'closes'
      ? (await store.history.changesSince(0)).tickers.filter((one) => !universe.find(one))
      : [];
  const counts: Counts = { rows: 0, replaced: 0 };
  const exported = await tableOf(store, table, selection, counts);
  const first = await exported.batches.next();
  if (
    isWhole &&
    first.done === true &&
    ![strangers, ...(followers ?? []).map(({ rows }) => rows)].some(({ length }) => length > 0)
  ) {
    throw await nothingIn(place, tableNames[table]);
  }
  const whole = { ...exported, batches: resumed(first, exported.batches) };
  const sink = typeof output === 'string' ? createWriteStream(output, { flags: 'wx' }) : output;
  const notes = { source: demo ? 'pizarra demonstration: made-up prices' : 'pizarra' };
  try {
    await pipeline(
      format === 'parquet' ? parquetFile(whole, notes) : csvFile([whole, ...(followers ?? [])]),
      sink,
      { end: typeof output === 'string' },
    );
  } catch (cause) {
    throw sinkFault(cause, output);
  }
  const others = followers?.map(({ name, rows }) => [name, rows.length] as const);
  return { ...counts, strangers, ...(others && { others }) };
}

async function* resumed<T>(first: IteratorResult<T, void>, rest: AsyncGenerator<T>) {
  if (first.done !== true) yield first.value;
  yield* rest;
}

/** An export of nothing would look like a backup of the store. A selection may be empty. */
async function nothingIn(place: StorePlace, name: string): Promise<OperatorFault> {
  const hint = (await hasDemonstration(place))
    ? ` The prices of its demonstration are made up. They are in ${place.demonstration().name}: export them with --demo.`
    : '';
  return new OperatorFault(`The store in ${place.name} has no ${name} to export.${hint}`);
}

/** Tables one after the other, each with its header. Those after the first are left out if they are empty. */
async function* csvFile([first, ...followers]: readonly [
  ExportedTable,
  ...(readonly ReadTable[]),
]): AsyncGenerator<string> {
  yield csvLines([Object.keys(first.columns)]);
  for await (const rows of first.batches) yield csvLines(rows.map(textsOf(first.columns)));
  for (const { columns, rows } of followers) {
    if (rows.length > 0) yield csvLines([Object.keys(columns), ...rows.map(textsOf(columns))]);
  }
}

function selected(universe: Universe, { tickers, panel }: ExportRequest): readonly Instrument[] {
  if (tickers.length === 0 && panel === undefined) return universe.instruments;
  const named = tickers.map((spelling) => requireInstrument(universe, spelling));
  return [...new Set([...named, ...membersOf(universe, panel)])];
}

function membersOf(universe: Universe, panel: string | undefined): readonly Instrument[] {
  if (panel === undefined) return [];
  if (!isPanelCode(panel)) {
    throw new UsageFault(`There is no panel ${panel}. Valid: ${panelCodes.join(', ')}.`);
  }
  return universe.panels.get(panel) ?? [];
}

function sinkFault(cause: unknown, output: string | Writable): unknown {
  const { code, syscall } = cause as NodeJS.ErrnoException;
  if (typeof output !== 'string' || syscall === undefined) return cause;
  const reason = code === 'EEXIST' ? 'the file already exists, and is not overwritten' : code;
  return new OperatorFault(`Cannot write ${output}: ${reason}.`, { cause });
}
