import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { parse } from 'yaml';
import { readPlayground } from '../http/playground-file.ts';
import type { Log } from '../lib/log.ts';
import { repeat } from '../lib/repeat.ts';
import { claimDirectory } from '../store/sqlite/claim-directory.ts';
import { openSqliteStore } from '../store/sqlite/sqlite-store.ts';
import type { Store } from '../store/store.ts';
import { keepKeys, makeFirstKey } from './keep-keys.ts';
import type { NewKey } from './keys.ts';
import { Metrics } from './metrics.ts';
import type { MeasuredSite } from './metrics.ts';
import { listen, openListeners } from './open-listeners.ts';
import type { ListenerPorts, Listeners } from './open-listeners.ts';
import { openRealSite, openSimulatedSite } from './open-site.ts';
import type { Site, SiteParts } from './open-site.ts';
import { makePrivateServer } from './open-private.ts';
import type { ConfigFile } from './read-config.ts';
import { makeRateLimits } from './rate-plans.ts';
import { readFeeds } from './read-feeds.ts';
import { requireUniverse } from './require-universe.ts';
import type { Settings } from './settings.ts';

/** How often a demonstration looks whether something real has come. */
const realDataPollMs = 500;

/** Where `npm run build` leaves the playground; without it the service runs all the same. */
const playgroundDirectory = fileURLToPath(new URL('../../web/dist', import.meta.url));

const contractFile = new URL('../../contract/openapi.yaml', import.meta.url);

/** A running service. Disposing it drains the listeners, makes all durable, and closes the store. */
export interface Service extends AsyncDisposable {
  /** Where the public listener answers, base path included. */
  readonly url: string;
  /** Where the private listener answers. */
  readonly privateUrl: string;
  readonly isSimulated: boolean;
  /** The key that was made because there was none; to be shown once. */
  readonly firstKey: NewKey | undefined;
}

/**
 * Starts everything, in order: universe, store, keys, site, listeners. What fails is told as an
 * `OperatorFault` or a store's fault, and everything that had started is stopped again.
 *
 * An installation with nothing imported and no feed shows a demonstration. As soon as something real
 * comes it gives way, while running: the real site is opened beside it, takes over the ports, and the
 * demonstration drains.
 */
export async function startService({
  settings,
  file,
  log,
  version,
}: {
  readonly settings: Settings;
  readonly file: ConfigFile | undefined;
  readonly log: Log;
  /** Of the program, for the metrics. */
  readonly version: string;
}): Promise<Service> {
  await using cleanUp = new AsyncDisposableStack();
  const universe = await requireUniverse(settings.universe);
  const feeds = readFeeds(file, universe);
  const rateLimits = makeRateLimits(settings, log);
  const store = cleanUp.use(await openSqliteStore({ directory: settings.data, writer: 'worker' }));
  cleanUp.use(claimDirectory(settings.data));
  const firstKey = await makeFirstKey(store.keys);
  const { ring: keyRing } = cleanUp.use(await keepKeys(store.keys, log));

  const metrics = new Metrics({ version });
  const observers = { http: metrics.http('public'), streams: metrics.streams() };
  const parts: SiteParts = { universe, settings, feeds, log, observer: metrics.market() };
  const openapi = await readContract();
  const playground = await readPlayground(playgroundDirectory);
  const open = async (site: Site, takeOver?: ListenerPorts): Promise<Listeners> =>
    openListeners(
      { site, settings, keyRing, rateLimits, openapi, playground, log, observers },
      takeOver,
    );

  const showing = cleanUp.use(new Showing());
  if (feeds.feeds.length > 0 || (await isReal(store))) {
    await showing.show(await openRealSite(parts, store), open);
  } else {
    await showing.show(await openSimulatedSite(parts), open);
    const giveWay = async (): Promise<void> => {
      if (!showing.isSimulated || !(await isReal(store))) return;
      log.info({}, 'something real has come; the demonstration gives way');
      await showing.show(await openRealSite(parts, store), open);
    };
    const onFault = (fault: unknown): void =>
      log.error({ err: fault }, 'the demonstration cannot give way');
    cleanUp.use(repeat(giveWay, { pauseMs: realDataPollMs, onFault }));
  }
  metrics.measure(() => showing.measured);
  const privateParts = { site: () => showing.site, settings, keyRing, metrics, log };
  const privateServer = cleanUp.use(makePrivateServer(privateParts));
  const privateAt = { host: settings.privateHost, port: settings.privatePort };
  const { host, port } = await listen(() => privateServer.listen(privateAt), {
    ...privateAt,
    triesMax: 1,
  });
  const running = cleanUp.move();
  return {
    url: showing.url,
    privateUrl: `http://${host.includes(':') ? `[${host}]` : host}:${port}`,
    isSimulated: showing.isSimulated,
    firstKey,
    [Symbol.asyncDispose]: () => running.disposeAsync(),
  };
}

/** The site that is shown, with its listeners; the next one takes over from it. */
class Showing implements AsyncDisposable {
  #site: Site | undefined;
  #listeners: Listeners | undefined;

  get url(): string {
    return this.#listeners?.url ?? '';
  }

  get site(): Site {
    if (this.#site === undefined) throw new Error('no site is shown yet');
    return this.#site;
  }

  /** What the metrics ask about. */
  get measured(): MeasuredSite {
    const { isSimulated, market, feeds } = this.site;
    const { board, persist } = market;
    return { isSimulated, board, persist, feeds: () => feeds.states() };
  }

  get isSimulated(): boolean {
    return this.#site?.isSimulated ?? false;
  }

  /** Shows a site from now on, and lets go of the one before. */
  async show(
    site: Site,
    open: (site: Site, takeOver?: ListenerPorts) => Promise<Listeners>,
  ): Promise<void> {
    const [oldSite, oldListeners] = [this.#site, this.#listeners];
    // Closing begins before the ports are taken over, and ends after: it drains.
    const drained = oldListeners?.[Symbol.asyncDispose]();
    this.#site = site;
    try {
      this.#listeners = await open(site, oldListeners?.ports);
    } finally {
      await drained;
      await oldSite?.[Symbol.asyncDispose]();
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#listeners?.[Symbol.asyncDispose]();
    await this.#site?.[Symbol.asyncDispose]();
  }
}

/**
 * Whether there is anything real to show: closes, quotes, or a key for a source that is about to
 * push.
 */
async function isReal(store: Store): Promise<boolean> {
  const { revision } = await store.history.changesSince(Number.MAX_SAFE_INTEGER);
  if (revision > 0) return true;
  const { keys } = await store.keys.readAll();
  return keys.some(({ scope }) => scope === 'ingest') || (await store.quotes.readAll()).length > 0;
}

async function readContract(): Promise<Record<string, unknown>> {
  return parse(await readFile(contractFile, 'utf8')) as Record<string, unknown>;
}
