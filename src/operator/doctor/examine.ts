import { readFeeds } from '../../config/feeds/read-feeds.ts';
import { planTable } from '../../config/settings/rate-plans.ts';
import type { ConfigFile } from '../../config/settings/read-config.ts';
import type { Settings } from '../../config/settings/settings.ts';
import { Bonds } from '../../domain/bonds/bonds.ts';
import { IndexSeries, noIndices } from '../../domain/indices/index-series.ts';
import { MarketCalendars } from '../../domain/instruments/market-calendars.ts';
import type { Universe } from '../../domain/instruments/universe.ts';
import type { Quote } from '../../domain/quotes/quote.ts';
import type { StoredQuote } from '../../domain/quotes/stored-quote.ts';
import { fine, wrong, type Finding } from '../../lib/reports/finding.ts';
import { OperatorFault } from '../../lib/reports/operator-fault.ts';
import { servingNodes } from '../../node/keys/keys.ts';
import { openPlace } from '../../node/place/open-place.ts';
import type { StorePlace } from '../../store/contract/place.ts';
import { StoreFault } from '../../store/contract/store-fault.ts';
import type { Store } from '../../store/contract/store.ts';
import { checkActions } from '../actions/check-actions.ts';
import { checkIndexBases } from '../bonds/check-index-bases.ts';
import {
  checkBondClasses,
  checkBondPrices,
  checkDollars,
  quotesWithCloses,
  valueQuotes,
} from '../bonds/check-quotes.ts';
import { checkTerms, dayOfBonds, noTerms } from '../bonds/check-terms.ts';
import { checkClock, checkCloses, checkDatabase, checkKeys } from './check-data.ts';
import { checkHistory } from './check-history.ts';
import { checkIndices } from './check-indices.ts';
import { checkService } from './check-service.ts';
import { checkCalendars, checkMaturities, checkUniverse } from './check-universe.ts';

/** Minimum major version of Node. */
const nodeMajor = 26;

/** The installation to examine. */
interface Installation {
  readonly settings: Settings;
  readonly file: ConfigFile | undefined;
  readonly now: number;
}

/** What the checks know. A check that needs what could not be read finds nothing. */
interface Known extends Installation {
  readonly place: StorePlace;
  readonly universe: Universe | undefined;
  readonly store: Store | undefined;
  readonly stored: readonly StoredQuote[];
  /** The quotes of the universe. */
  readonly quotes: readonly Quote[];
  readonly series: IndexSeries;
  /** What was found while this was read. */
  readonly found: Readonly<Record<'universe' | 'place' | 'database', readonly Finding[]>>;
}

type Findings = Finding | readonly Finding[] | undefined;

/** All checks, in the order in which they are reported. */
const checks: readonly {
  readonly name: string;
  readonly run: (known: Known) => Findings | Promise<Findings>;
}[] = [
  { name: 'runtime', run: () => checkRuntime(process.versions.node) },
  { name: 'configuration', run: checkConfiguration },
  { name: 'universe', run: ({ found }) => found.universe },
  { name: 'calendars', run: ({ universe, now }) => universe && checkCalendars(universe, now) },
  { name: 'maturities', run: ({ universe, now }) => universe && checkMaturities(universe, now) },
  { name: 'place', run: ({ found }) => found.place },
  { name: 'database', run: ({ found }) => found.database },
  {
    name: 'keys',
    run: async ({ store, settings, now }) =>
      store && checkKeys((await store.keys.readAll()).keys, now, await acceptsUrlKeys(settings)),
  },
  {
    name: 'history',
    run: ({ universe, store, now, settings }) => {
      const settleDelayMs = settings.settleDelayMinutes * 60_000;
      return universe && store && checkHistory(universe, store.history, { now, settleDelayMs });
    },
  },
  {
    name: 'actions',
    run: ({ universe, store, now }) => universe && store && checkActions(universe, store, now),
  },
  {
    name: 'indices',
    run: (known) => known.universe && known.store && checkIndices(known.universe, known, known.now),
  },
  { name: 'bonds', run: checkBonds },
  { name: 'closes', run: ({ store, stored }) => store && checkCloses(stored) },
  { name: 'clock', run: ({ stored, now }) => checkClock(stored, now) },
  { name: 'service', run: ({ place, settings, now }) => checkService(place, settings, now) },
];

/**
 * Checks the whole installation. It changes nothing, and a service may be running.
 *
 * @param onCheck receives the name of each check before it runs
 */
export async function examine(
  installation: Installation,
  onCheck: (name: string) => void,
): Promise<readonly Finding[]> {
  const { settings } = installation;
  const { finding, universe } = await checkUniverse(settings.universe);
  await using place = openPlace(settings.store);
  const { findings, isReachable } = await place.examine({ writes: settings.role !== 'serve' });
  const read = isReachable ? await readStore(place, universe) : unread([]);
  await using _ = read.store;
  const found = { universe: [finding], place: findings, database: read.database };
  const known: Known = { ...installation, ...read, place, universe, found };
  const all: Finding[] = [];
  for (const { name, run } of checks) {
    onCheck(name);
    const more = await (async () => run(known))().catch(unreadable);
    all.push(...[more ?? []].flat());
  }
  return all;
}

/** The only finding if the configuration cannot be read. Without it nothing else can be checked. */
export function unreadableConfiguration(message: string): Finding {
  return wrong('configuration', message, {
    todo: 'Correct the configuration, and run the doctor again for the other checks.',
  });
}

async function readStore(place: StorePlace, universe: Universe | undefined) {
  const { finding, store: inspection } = await checkDatabase(place);
  if (inspection === undefined) return unread([finding]);
  try {
    await using opened = new AsyncDisposableStack();
    const store = opened.use(await place.open({ mode: 'read' }));
    const stored = await store.quotes.readAll();
    const { revision, values } = await store.indices.readAll();
    const quotes =
      universe === undefined ? [] : await quotesWithCloses(universe, stored, store.history);
    opened.move();
    const series = new IndexSeries(revision, values);
    return { store, stored, quotes, series, database: [finding] };
  } catch (fault) {
    return unread([finding, unreadable(fault)]);
  }
}

function unread(database: readonly Finding[]) {
  return { store: undefined, stored: [], quotes: [], series: noIndices, database };
}

/** Whether the running nodes, or one with these settings, accept keys for URLs. */
async function acceptsUrlKeys({ store, urlKeys }: Settings): Promise<boolean> {
  const { nodes } = await servingNodes(store);
  return nodes.length === 0 ? urlKeys === 'on' : nodes.every((node) => node.urlKeys !== false);
}

/** @throws a fault that is not one of the store. */
function unreadable(fault: unknown): Finding {
  if (!(fault instanceof StoreFault)) throw fault;
  return wrong('database', `${fault.message}.`, {
    todo: 'Check the log of the service, and the disk.',
  });
}

function checkRuntime(version: string): Finding {
  if (Number(version.split('.')[0]) >= nodeMajor) return fine('runtime', `Node ${version}.`);
  return wrong('runtime', `Node ${version} is too old.`, {
    todo: `Install Node ${nodeMajor} or newer, or install Pizarra with the Node that it pins (docs/deploying.md).`,
  });
}

function checkConfiguration({ settings, file, universe }: Known): Finding {
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

/**
 * Checks the terms of bonds as `pizarra bonos check` does, and what only the store shows: terms that contradict
 * the index at the issue, prices that are not those of 100 nominal, classes in dollars that disagree, and dollars
 * that cannot be. What concerns no quote is not a warning.
 */
function checkBonds({ universe, quotes, series, now }: Known): Findings {
  if (universe === undefined) return undefined;
  const today = dayOfBonds(universe, now);
  if (today === undefined) return noTerms;
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
