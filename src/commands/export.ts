import { command } from './form/command.ts';
import { csvLines } from './form/csv.ts';
import { dayRange, parseDay } from './form/flags.ts';
import { createWriteStream } from 'node:fs';
import type { Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Instrument } from '../domain/instruments/instrument.ts';
import { isPanelCode, panelCodes } from '../domain/instruments/panel.ts';
import type { PlainDate } from '../domain/calendar/plain-date.ts';
import type { Ticker } from '../domain/instruments/ticker.ts';
import type { Universe } from '../domain/instruments/universe.ts';
import type { DayRange } from '../store/contract/history-store.ts';
import type { StorePlace } from '../store/contract/place.ts';
import type { Store } from '../store/contract/store.ts';
import { changesTables } from '../import/changes/changes-tables.ts';
import { changeCells, changesHeader, closeCells } from '../import/changes/version-cells.ts';
import { closeColumns } from '../import/layouts/sources.ts';
import { openPlace } from '../node/place/open-place.ts';
import { OperatorFault, UsageFault } from '../lib/reports/operator-fault.ts';
import { firstOf } from '../lib/text/first-of.ts';
import { hasDemonstration } from '../operator/store/open-existing.ts';
import { requireInstrument } from '../operator/universe/require-instrument.ts';
import { requireUniverse } from '../node/market/require-universe.ts';

/** Maximum number of instruments outside the universe that are named. */
const strangersShownMax = 5;

export const exportCommand = command({
  name: 'export',
  summary: 'write daily closes as CSV, which "import" reads back unchanged',
  args: { tickers: ['[TICKER...]', 'the instruments; if absent, the whole universe'] },
  flags: {
    panel: { value: '<CODE>', text: 'export the instruments of a panel' },
    from: { value: '<DATE>', text: 'first day (YYYY-MM-DD)', parse: parseDay },
    to: { value: '<DATE>', text: 'last day (YYYY-MM-DD)', parse: parseDay },
    withChanges: {
      text: 'also the closes that later ones have replaced, with the instant and the origin of each change; if nothing is selected, also corporate actions, indices and terms of bonds',
    },
    output: { short: '-o', value: '<FILE>', text: 'a new file; by default, standard output' },
  },
  settings: ['store', 'universe'],
  examples: [
    'pizarra export > closes.csv',
    'pizarra export --panel LID --from 2026-01-01 -o leaders.csv',
  ],
  async run({ args, flags, configuration }) {
    const { settings } = await configuration();
    const { output = process.stdout } = flags;
    const { store: storeAt, universe: universeDirectory } = settings;
    const request = { ...args, ...flags, output, storeAt, universeDirectory };
    const summary = await runExport(request).catch((fault: NodeJS.ErrnoException) => {
      // The reader of standard output may stop early (`| head`).
      if (fault.code !== 'EPIPE') throw fault;
      return undefined;
    });
    if (summary === undefined) return {};
    const { instruments, closes, replaced, strangers, others = [] } = summary;
    return {
      notes: [
        `${closes} closes of ${instruments} instruments.`,
        ...(flags.withChanges ? [`${replaced} closes that others have replaced.`] : []),
        ...others.map(([name, rows]) => `${rows} ${name}, with those that others have replaced.`),
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
  readonly tickers: readonly string[];
  readonly panel?: string | undefined;
  /** Both included. */
  readonly from?: PlainDate | undefined;
  readonly to?: PlainDate | undefined;
  /**
   * Also writes the closes that others have replaced, and the instant and origin of each change; and, unless something
   * is selected, the other tables that remember their changes.
   */
  readonly withChanges?: boolean;
  /** A new file, or a stream that stays open. */
  readonly output: string | Writable;
}

/**
 * Writes daily closes as CSV (RFC 4180), exactly as they are stored, one instrument after the other in
 * the order of the request or of the universe. Only the closes of one instrument are in memory at a
 * time. A service and imports may be running. Gives also the tickers with a history that are no longer in the universe,
 * which are not exported.
 *
 * @throws {OperatorFault} when the universe has faults or lacks an instrument, or the file cannot be
 *   created.
 * @throws {StoreFault} when the store cannot be read.
 */
export async function runExport(request: ExportRequest): Promise<{
  readonly instruments: number;
  readonly closes: number;
  /** The closes that others have replaced. Zero without changes. */
  readonly replaced: number;
  readonly strangers: readonly Ticker[];
  /** The rows of the other tables, by their names. Absent for a selection, and without changes. */
  readonly others?: readonly (readonly [table: string, rows: number])[];
}> {
  const universe = await requireUniverse(request.universeDirectory);
  const instruments = selected(universe, request);
  const { tickers, panel, from, to, output, withChanges = false } = request;
  const range = dayRange({ from, to });
  const isWhole = tickers.length === 0 && [panel, from, to].every((one) => one === undefined);
  await using place = openPlace(request.storeAt);
  await using store = await place.open({ mode: 'read' });
  const others = withChanges && isWhole ? await readOthers(store) : undefined;
  const history = await store.history.changesSince(0);
  if (history.tickers.length === 0 && !others?.some(({ rows }) => rows.length > 0)) {
    throw await nothingIn(place);
  }
  const counts = { instruments: 0, closes: 0, replaced: 0 };
  const sink = typeof output === 'string' ? createWriteStream(output, { flags: 'wx' }) : output;
  async function* lines(): AsyncGenerator<string> {
    yield* closeLines(store, { instruments, range, counts, withChanges });
    for (const { header, rows } of others ?? []) {
      if (rows.length > 0) yield csvLines([header, ...rows]);
    }
  }
  try {
    await pipeline(lines(), sink, { end: typeof output === 'string' });
  } catch (cause) {
    throw sinkFault(cause, output);
  }
  const strangers = history.tickers.filter((ticker) => universe.find(ticker) === undefined);
  const counted = others?.map(({ name, rows }) => [name, rows.length] as const);
  return { ...counts, strangers, ...(counted && { others: counted }) };
}

function readOthers(store: Store) {
  return Promise.all(
    changesTables.map(async (table) => ({
      name: table.name,
      header: table.header,
      rows: await table.rowsOf(store),
    })),
  );
}

/** An export of nothing would look like a backup of the store. A selection may be empty. */
async function nothingIn(place: StorePlace): Promise<OperatorFault> {
  const hint = (await hasDemonstration(place))
    ? ` The prices of its demonstration are made up. They are in ${place.demonstration().name}.`
    : '';
  return new OperatorFault(`The store in ${place.name} has no closes to export.${hint}`);
}

async function* closeLines(
  store: Store,
  {
    instruments,
    range,
    counts,
    withChanges,
  }: {
    readonly instruments: readonly Instrument[];
    readonly range: DayRange;
    readonly counts: { instruments: number; closes: number; replaced: number };
    readonly withChanges: boolean;
  },
): AsyncGenerator<string> {
  yield csvLines([withChanges ? changesHeader : closeColumns]);
  for (const { ticker } of instruments) {
    const versions = withChanges ? await store.memory.readCloses(ticker, range) : undefined;
    const closes = versions ?? (await store.history.readCloses(ticker, range));
    if (closes.length === 0) continue;
    const replaced = versions?.filter((version) => version.replaced !== undefined).length ?? 0;
    counts.instruments += 1;
    counts.closes += closes.length - replaced;
    counts.replaced += replaced;
    yield csvLines(
      closes.map((one) =>
        'stored' in one
          ? [...closeCells(ticker, one.value), ...changeCells(one)]
          : closeCells(ticker, one),
      ),
    );
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
