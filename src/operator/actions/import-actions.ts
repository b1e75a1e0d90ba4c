import { actionKey } from '../../domain/history/corporate-action.ts';
import { CorporateActions, isSameApartFromSource } from '../../domain/history/corporate-actions.ts';
import type { Ticker } from '../../domain/instruments/ticker.ts';
import type { Universe } from '../../domain/instruments/universe.ts';
import { usSymbolOf } from '../../feeds/shapes/us-symbols.ts';
import { yahooSymbolOf } from '../../feeds/shapes/yahoo-symbols.ts';
import type { SourceNames } from '../../import/actions/json-actions.ts';
import { readActions } from '../../import/actions/read-actions.ts';
import { usSuffix } from '../../import/names/naming.ts';
import { systemClock } from '../../lib/time/clock.ts';
import { formatUniverseFaults } from '../../universe/files/universe-fault.ts';
import type { StorePlace } from '../../store/contract/place.ts';
import { openPlace } from '../../node/place/open-place.ts';
import { OperatorFault } from '../../lib/reports/operator-fault.ts';
import { requireUniverse } from '../../node/site/require-universe.ts';
import { openExisting } from '../store/open-existing.ts';

/** The request of an import of corporate actions. */
export interface ActionImportRequest {
  /** Files, directories, and `-` for standard input. */
  readonly sources: readonly string[];
  readonly storeAt: string;
  readonly universeDirectory: string;
  readonly stdin: AsyncIterable<Uint8Array>;
  /** Read and compare everything, and store nothing. */
  readonly dryRun: boolean;
}

/** The result of an import of corporate actions. */
export interface ActionImportSummary {
  readonly files: number;
  readonly added: number;
  /** Actions that replace one with other values. */
  readonly changed: number;
  readonly same: number;
  /** Names of instruments whose actions were left out, because the universe lacks them. */
  readonly unknown: readonly string[];
  readonly dryRun: boolean;
}

/**
 * Imports corporate actions into the store of an installation, all of them or none. A running service
 * applies them at once. A dry run changes nothing, and creates nothing if no store exists.
 *
 * @throws {OperatorFault} that lists every fault of the files, or of the universe.
 * @throws {StoreFault} when the store cannot be opened or written.
 */
export async function importActions(request: ActionImportRequest): Promise<ActionImportSummary> {
  const { sources, storeAt, universeDirectory, stdin, dryRun } = request;
  const universe = await requireUniverse(universeDirectory);
  await using place = openPlace(storeAt);
  const context = { universe, names: namesOf(universe), recorded: await recordedIn(place) };
  const { actions, faults, unknown, files } = await readActions(sources, context, stdin);
  if (faults.length > 0) {
    throw new OperatorFault(
      `Nothing was imported, because of these faults:\n${formatUniverseFaults(faults)}`,
    );
  }
  if (files === 0) throw new OperatorFault('There is no file to import. Check the paths.');
  await using store = dryRun ? await openExisting(place) : await place.open({ mode: 'create' });
  const stored = (await store?.actions.readAll())?.actions ?? [];
  const before = new Map(stored.map((action) => [actionKey(action), action]));
  // A stored action with the same values keeps its source.
  const put = actions.filter((action) => {
    const known = before.get(actionKey(action));
    return known === undefined || !isSameApartFromSource(known, action);
  });
  if (!dryRun) {
    await store?.actions.apply({ put, remove: [] }, { at: systemClock.now(), origin: 'import' });
  }
  const added = put.filter((action) => !before.has(actionKey(action))).length;
  return {
    files,
    added,
    changed: put.length - added,
    same: actions.length - put.length,
    unknown,
    dryRun,
  };
}

async function recordedIn(place: StorePlace): Promise<CorporateActions> {
  await using store = await openExisting(place);
  return new CorporateActions((await store?.actions.readAll())?.actions ?? []);
}

/** The instruments by the symbols of the sources. */
function namesOf(universe: Universe): SourceNames {
  const yahoo = new Map<string, Ticker>();
  const us = new Map<string, Ticker>();
  for (const instrument of universe.instruments) {
    const { ticker } = instrument;
    const [yahooSymbol, usSymbol] = [yahooSymbolOf(instrument)?.symbol, usSymbolOf(instrument)];
    if (yahooSymbol !== undefined) yahoo.set(yahooSymbol, ticker);
    if (usSymbol !== undefined) us.set(usSymbol, ticker);
  }
  return {
    ofYahoo: (symbol) => yahoo.get(symbol),
    ofAlpaca: (symbol) => us.get(symbol),
    ofUsSymbol: (symbol) => us.get(symbol) ?? (`${symbol}${usSuffix}` as Ticker),
  };
}
