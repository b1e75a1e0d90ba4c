import { fromEpochDay, type EpochDay } from '../../domain/calendar/plain-date.ts';
import { actionKey } from '../../domain/history/corporate-action.ts';
import { CorporateActions, isSameApartFromSource } from '../../domain/history/corporate-actions.ts';
import type { Ticker } from '../../domain/instruments/ticker.ts';
import type { Universe } from '../../domain/instruments/universe.ts';
import { usSymbolOf } from '../../feeds/shapes/us-symbols.ts';
import { yahooSymbolOf } from '../../feeds/shapes/yahoo-symbols.ts';
import type { SourceNames } from '../../import/actions/json-actions.ts';
import { readActions } from '../../import/actions/read-actions.ts';
import { requireSound } from '../../import/files/records.ts';
import { usSuffix } from '../../import/names/naming.ts';
import { firstOf } from '../../lib/text/first-of.ts';
import { systemClock } from '../../lib/time/clock.ts';
import { openExisting } from '../../operator/store/open-existing.ts';
import { ContinuedHistory } from '../../store/continued/continued-history.ts';
import { command } from '../form/command.ts';

/** Maximum number of names that are shown. */
const namesShownMax = 10;

/**
 * Stores all actions of all files, or none. A running service applies them at once. A dry run changes nothing, and
 * creates nothing if no store exists.
 */
export const importCommand = command({
  name: 'import',
  summary: 'import actions from CSV, YAML, charts of Yahoo Finance or lists of Alpaca',
  args: { sources: ['<SOURCE...>', 'files, directories, .zip and .gz, or - for standard input'] },
  flags: {
    dryRun: { text: 'show the result without storing anything' },
    json: { text: 'print the counts as one JSON object' },
  },
  settings: ['store', 'universe'],
  examples: ['pizarra actions import actions.csv', 'pizarra actions import --dry-run -'],
  async run({ args, flags: { dryRun }, readUniverse, findPlace, stdin }) {
    const universe = await readUniverse();
    const place = await findPlace();
    const read = async () => {
      await using existing = await openExisting(place);
      const recorded = new CorporateActions((await existing?.actions.readAll())?.values ?? []);
      const history = existing && new ContinuedHistory(existing.history, () => recorded);
      const closeBefore = async (ticker: Ticker, day: EpochDay) => {
        const session = { ticker, sessionDate: fromEpochDay(day) };
        return (await history?.referenceCloses([session]))?.[0]?.previous;
      };
      const context = { universe, names: namesOf(universe), recorded, closeBefore };
      return await readActions(args.sources, context, stdin);
    };
    const found = await read();
    const { actions, unknown, files } = found;
    requireSound(found);
    await using store = dryRun ? await openExisting(place) : await place.open({ mode: 'create' });
    const stored = (await store?.actions.readAll())?.values ?? [];
    const before = new Map(stored.map((action) => [actionKey(action), action]));
    // A stored action with the same values keeps its source.
    const put = actions.filter((action) => {
      const known = before.get(actionKey(action));
      return known === undefined || !isSameApartFromSource(known, action);
    });
    if (!dryRun) {
      await store?.actions.apply({ put }, { at: systemClock.now(), origin: 'import' });
    }
    const added = put.filter((action) => !before.has(actionKey(action))).length;
    const changed = put.length - added;
    const same = actions.length - put.length;
    const counts = `added ${added}, changed ${changed}, same ${same}`;
    return {
      sections: [
        `${dryRun ? 'Dry run, nothing stored. ' : ''}Files: ${files}. Actions: ${counts}.`,
        ...(unknown.length === 0
          ? []
          : [`Left out, not in the universe: ${firstOf(unknown, namesShownMax)}.`]),
      ],
      json: { files, added, changed, same, unknown, dryRun },
    };
  },
});

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
