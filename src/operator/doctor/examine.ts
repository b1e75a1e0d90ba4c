import type { StorePlace } from '../../store/contract/place.ts';
import { StoreFault } from '../../store/contract/store-fault.ts';
import { OperatorFault } from '../../lib/reports/operator-fault.ts';
import { servingNodes } from '../../node/keys/keys.ts';
import { openPlace } from '../../node/place/open-place.ts';
import { planTable } from '../../config/settings/rate-plans.ts';
import type { ConfigFile } from '../../config/settings/read-config.ts';
import { readFeeds } from '../../config/feeds/read-feeds.ts';
import type { Settings } from '../../config/settings/settings.ts';
import { IndexSeries, noIndices } from '../../domain/indices/index-series.ts';
import type { Universe } from '../../domain/instruments/universe.ts';
import {
  checkBondClasses,
  checkBondPrices,
  checkDollars,
  quotesWithCloses,
  valueQuotes,
} from '../bonds/check-quotes.ts';
import { checkActions } from '../actions/check-actions.ts';
import { checkClock, checkCloses, checkDatabase } from './check-data.ts';
import { checkHistory } from './check-history.ts';
import { checkIndices } from './check-indices.ts';
import { checkKeys } from './check-data.ts';
import { checkCalendars, checkMaturities, checkUniverse } from './check-universe.ts';
import { checkService } from './check-service.ts';
import { fine, wrong, type Finding } from '../../lib/reports/finding.ts';
import { Bonds } from '../../domain/bonds/bonds.ts';
import { MarketCalendars } from '../../domain/instruments/market-calendars.ts';
import type { Quote } from '../../domain/quotes/quote.ts';
import { checkIndexBases } from '../bonds/check-index-bases.ts';
import { checkTerms, dayOfBonds, noTerms } from '../bonds/check-terms.ts';

/** Minimum major version of Node. */
const nodeMajor = 26;

/** The installation to examine. */
export interface Installation {
  readonly settings: Settings;
  readonly file: ConfigFile | undefined;
  readonly now: number;
}

/** Checks the whole installation. It changes nothing, and a service may be running. */
export async function examine({ settings, file, now }: Installation): Promise<readonly Finding[]> {
  const { finding: aboutUniverse, universe } = await checkUniverse(settings.universe);
  await using place = openPlace(settings.store);
  const { findings: aboutPlace, isReachable } = await place.examine({
    writes: settings.role !== 'serve',
  });
  const findings: Finding[] = [
    checkRuntime(process.versions.node),
    checkConfiguration(settings, file, universe),
    aboutUniverse,
    ...(universe === undefined
      ? []
      : [checkCalendars(universe, now), checkMaturities(universe, now)]),
    ...aboutPlace,
  ];
  if (isReachable) findings.push(...(await checkContent({ place, settings, universe, now })));
  else findings.push(...(await checkWithoutContent(universe, now)));
  findings.push(...(await checkService(place, settings, now)));
  return findings;
}

/** The only finding if the configuration cannot be read. Without it nothing else can be checked. */
export function unreadableConfiguration(message: string): Finding {
  return wrong('configuration', message, {
    todo: 'Correct the configuration, and run the doctor again for the other checks.',
  });
}

function checkRuntime(version: string): Finding {
  if (Number(version.split('.')[0]) >= nodeMajor) return fine('runtime', `Node ${version}.`);
  return wrong('runtime', `Node ${version} is too old.`, {
    todo: `Install Node ${nodeMajor} or newer, or install Pizarra with the Node that it pins (docs/deploying.md).`,
  });
}

function checkConfiguration(
  settings: Settings,
  file: ConfigFile | undefined,
  universe: Universe | undefined,
): Finding {
  try {
    planTable(settings);
    const { feeds } =
      universe === undefined ? { feeds: [] } : readFeeds({ settings, file }, universe);
    const from = file === undefined ? 'Flags and environment, no file' : `From ${file.name}`;
    return fine('configuration', `${from}: ${feeds.length} feeds, ${settings.plans.size} plans.`);
  } catch (fault) {
    if (!(fault instanceof OperatorFault)) throw fault;
    return wrong('configuration', fault.message, { todo: 'Correct the configuration.' });
  }
}

async function checkContent({
  place,
  settings,
  universe,
  now,
}: {
  readonly place: StorePlace;
  readonly settings: Settings;
  readonly universe: Universe | undefined;
  readonly now: number;
}): Promise<readonly Finding[]> {
  const { finding, store: inspection } = await checkDatabase(place);
  const isReadable = inspection !== undefined;
  if (!isReadable) return [finding, ...(await checkWithoutContent(universe, now))];
  try {
    const { nodes: running } = await servingNodes(settings.store);
    const acceptsUrlKeys =
      running.length === 0
        ? settings.urlKeys === 'on'
        : running.every(({ urlKeys }) => urlKeys !== false);
    await using store = await place.open({ mode: 'read' });
    const { keys } = await store.keys.readAll();
    const stored = await store.quotes.readAll();
    const { revision, values } = await store.indices.readAll();
    const series = new IndexSeries(revision, values);
    const quotes =
      universe === undefined ? [] : await quotesWithCloses(universe, stored, store.history);
    const settleDelayMs = settings.settleDelayMinutes * 60_000;
    return [
      finding,
      checkKeys(keys, now, acceptsUrlKeys),
      ...(universe === undefined
        ? []
        : [
            await checkHistory(universe, store.history, { now, settleDelayMs }),
            await checkActions(universe, store, now),
            checkIndices(universe, { quotes, series }, now),
            ...checkBonds(universe, { quotes, series }, now),
          ]),
      checkCloses(stored),
      await checkClock(stored, now),
    ];
  } catch (fault) {
    if (!(fault instanceof StoreFault)) throw fault;
    const todo = 'Check the log of the service, and the disk.';
    return [finding, wrong('database', `${fault.message}.`, { todo })];
  }
}

/** The checks that need no store, where there is none that can be read. */
async function checkWithoutContent(
  universe: Universe | undefined,
  now: number,
): Promise<readonly Finding[]> {
  const nothing = { quotes: [], series: noIndices };
  const aboutBonds = universe === undefined ? [] : checkBonds(universe, nothing, now);
  return [...aboutBonds, await checkClock([], now)];
}

/**
 * Checks the terms of bonds as `pizarra bonos check` does, and what only the store shows: terms that contradict
 * the index at the issue, prices that are not those of 100 nominal, classes in dollars that disagree, and dollars
 * that cannot be. What concerns no quote is not a warning.
 */
function checkBonds(
  universe: Universe,
  { quotes, series }: { readonly quotes: readonly Quote[]; readonly series: IndexSeries },
  now: number,
): readonly Finding[] {
  const today = dayOfBonds(universe, now);
  if (today === undefined) return [noTerms];
  const bonds = new Bonds(universe);
  const calendars = new MarketCalendars(universe);
  const alive = bonds.all.filter(({ terms }) => terms.maturity > today);
  const quoted = new Set(quotes.map(({ instrument }) => instrument.ticker));
  const valued = valueQuotes(quotes, { universe, bonds, series });
  return [
    ...checkTerms({ universe, bonds, today, quoted }),
    checkIndexBases(alive, series, ({ terms }) => calendars.of(universe.get(terms.ticker))),
    checkBondPrices(valued),
    checkBondClasses(universe, valued),
    checkDollars(quotes, { universe, bonds }),
  ];
}
