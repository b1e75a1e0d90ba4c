import { randomBytes } from 'node:crypto';
import { availableParallelism, hostname } from 'node:os';
import { resolve } from 'node:path';

import { FollowedServices } from '../../feeds/contract/followed-services.ts';
import type { KeyProperties } from '../../auth/issue-key.ts';
import type { NodeRecord } from '../../store/contract/nodes.ts';
import type { UniverseChanges } from '../../universe/compare-universes.ts';
import { makeFirstKey } from '../keys/first-key.ts';
import { addKey, untilKeysApply, embedderActor, type NewKey } from '../keys/keys.ts';
import type { ServiceLog } from '../log/make-log.ts';
import { Metrics } from '../metrics/metrics.ts';
import { listen, noListeners, openListeners } from '../listeners/open-listeners.ts';
import { Node, type ReloadReport } from '../roles/node.ts';
import type { MarketParts } from '../market/producer.ts';
import { openTransports, type Transports } from '../listeners/open-transport.ts';
import { makePrivateServer } from '../listeners/open-private.ts';
import type { ConfigFile } from '../../config/settings/read-config.ts';
import { planTable } from '../../config/settings/rate-plans.ts';
import { openPlace } from '../place/open-place.ts';
import { presetUniverse } from '../../config/feeds/presets.ts';
import { readFeeds } from '../../config/feeds/read-feeds.ts';
import { universeFor } from '../market/open-feeds.ts';
import { requireUniverse } from '../market/require-universe.ts';
import type { Settings } from '../../config/settings/settings.ts';
import { openFront, openLog } from '../roles/open-front.ts';
import { watchAll } from './watch-all.ts';
import { SummedMetrics } from '../workers/summed-metrics.ts';
import { Workers } from '../workers/workers.ts';
import { advertisedOrigin, urlHost } from '../../lib/network/url-host.ts';

export type { UniverseChanges };

/** A running service. Disposing it drains the listeners, commits all quotes, and closes the store. */
export interface Service extends AsyncDisposable {
  /** URL of the public listener, base path included. */
  readonly url: string;
  /** URL of the private listener. */
  readonly privateUrl: string;
  /** Where the data is, for people. It contains no secret. */
  readonly storeName: string;
  readonly isSimulated: boolean;
  /** The key that was created because none existed. It is shown once. */
  readonly firstKey: NewKey | undefined;
  /** Creates a key for the program that runs the service. It is valid when the promise resolves. */
  createKey(wish: KeyProperties): Promise<NewKey>;
  /**
   * Applies the universe files and the settings as they are now. Requests are served throughout.
   * Updates wait until the new market is open.
   *
   * @throws OperatorFault that lists every fault of the universe or of the configuration.
   * @throws StoreFault when the new market cannot be opened. In both cases nothing changes.
   */
  reload(configured: {
    readonly settings: Settings;
    readonly file: ConfigFile | undefined;
  }): Promise<ReloadReport>;
}

/**
 * Starts the service in this order: universe, node (claim and store), keys, market, listeners, first key. When one of
 * them fails, those that have started are stopped.
 *
 * Without imported data, feeds and ingest keys the service shows a demonstration. As soon as one of
 * them exists, the real market is opened beside the demonstration and replaces it at the listeners.
 *
 * @throws OperatorFault and StoreFault that say what failed.
 */
export async function startService({
  settings,
  file,
  programLog,
  version,
  canShowKey,
  stopping,
}: {
  readonly settings: Settings;
  readonly file: ConfigFile | undefined;
  readonly programLog: ServiceLog;
  /** The version of the program, for the metrics. */
  readonly version: string;
  /** Whether the caller can show a first key. */
  readonly canShowKey: boolean;
  /** Ends a start that waits for the database: the promise rejects with the reason. */
  readonly stopping?: AbortSignal | undefined;
}): Promise<Service> {
  await using cleanUp = new AsyncDisposableStack();
  const place = cleanUp.use(openPlace(settings.store));
  const { log } = cleanUp.use(openLog(programLog.log, place));
  const transports = cleanUp.use(await openTransports(settings, log));
  const { universe, feeds } = await readMarket({ settings, file });
  const instance = randomBytes(9).toString('base64url');
  const identity = { id: instance, name: hostname() };
  const metrics = new Metrics({ version });
  const observer = metrics.pipeline();
  const follows = new FollowedServices(instance);
  const origins = (): readonly string[] => follows.ids;
  const parts: MarketParts = { universe, settings, feeds, log, observer, place, follows };
  const node = cleanUp.use(await Node.open({ node: identity, parts, stopping }));
  const { store } = node;
  const processes = settings.workers === 'auto' ? availableParallelism() : settings.workers;
  const workers = new Workers({
    processes,
    version,
    instance,
    log,
    writeLine: programLog.writeLine,
    onEnded: () => metrics.workerEnded(),
    damage: place.damage,
    origins,
  });
  const sharedPort =
    processes === 1 ? undefined : { processes, isHeld: false, meetAt: workers.meetAt };
  const { keys, listenerParts } = cleanUp.use(
    await openFront({
      place,
      store,
      settings,
      metrics,
      programLog,
      instance,
      log,
      reach: transports.public,
      streamCounts: workers.streamCounts,
      origins,
      sharedPort,
    }),
  );
  await node.serve(async (first) => {
    if (settings.role === 'write') return noListeners;
    await using opening = new AsyncDisposableStack();
    const listeners = opening.use(await openListeners(first, listenerParts));
    const joined = await workers.join(listeners, first);
    opening.move();
    return joined;
  });
  metrics.measure(() => node.measured);
  const { host: privateHost, transport } = transports.private;
  const metricsText = new SummedMetrics(metrics.registry, workers);
  let isStopping = false;
  const isStoppingNow = (): boolean => isStopping;
  const own = {
    instance,
    node,
    settings,
    keyRing: keys.ring,
    metrics,
    metricsText,
    log,
    transport,
  };
  const privateParts = { ...own, isStopping: isStoppingNow, lineage: () => place.line?.text };
  const privateServer = cleanUp.use(makePrivateServer(privateParts));
  const privateAt = { host: privateHost, port: settings.privatePort };
  const { host, port } = await listen(() => privateServer.listen(privateAt), {
    ...privateAt,
    names: { host: 'privateHost', port: 'privatePort' },
  });
  cleanUp.use(watchAll({ node, place, metrics, log }));
  let urlKeys = settings.urlKeys === 'on';
  const nodeRecord = (): NodeRecord => {
    const { url } = node;
    return nodeRecordOf({
      instance,
      machine: identity.name,
      version,
      settings,
      origin: url === '' ? '' : new URL(url).origin,
      basePath: url === '' ? '' : new URL(url).pathname.replace(/\/$/, ''),
      urlKeys,
      privateAt: { host, port },
      transports,
    });
  };
  const { privateUrl } = nodeRecord();
  const registration = cleanUp.use(
    await place.nodes.register(nodeRecord(), (fault) =>
      log.warn({ err: fault }, 'could not publish the addresses of the service'),
    ),
  );
  // The other processes poll the store for keys.
  const untilAccepted = (): Promise<void> =>
    processes === 1 ? keys.catchUp() : untilKeysApply(place);
  const firstKey = await makeFirstKey(store.keys, { canShow: canShowKey, untilAccepted, log });
  const running = cleanUp.move();
  return {
    url: node.url,
    privateUrl,
    storeName: place.name,
    isSimulated: node.isSimulated,
    firstKey,
    createKey: async (wish) => {
      const created = await addKey(store.keys, wish, embedderActor);
      await untilAccepted();
      return created;
    },
    reload: async (configured) => {
      // Validate everything before changing anything.
      planTable(configured.settings);
      const { settings: newSettings } = configured;
      const market = await readMarket(configured);
      const report = await node.reload({ ...parts, settings: newSettings, ...market });
      urlKeys = newSettings.urlKeys === 'on';
      await registration.update(nodeRecord());
      return report;
    },
    [Symbol.asyncDispose]: async () => {
      isStopping = true;
      // Both listeners drain at the same time. Afterwards nothing uses the market.
      await Promise.all([privateServer[Symbol.asyncDispose](), node.closeListeners()]);
      await running.disposeAsync();
    },
  };
}

/**
 * The universe and the feeds of a configuration.
 *
 * @throws OperatorFault that lists every fault in them.
 */
async function readMarket(configured: {
  readonly settings: Settings;
  readonly file: ConfigFile | undefined;
}): Promise<Pick<MarketParts, 'universe' | 'feeds'>> {
  const { settings } = configured;
  const universe = presetUniverse(await requireUniverse(settings.universe), settings);
  const feeds = readFeeds(configured, universe);
  return { feeds, universe: universeFor(feeds, universe) };
}

/** What a running service publishes about itself, for `doctor` and for the other nodes. */
function nodeRecordOf({
  instance,
  machine,
  version,
  settings,
  basePath,
  urlKeys,
  origin,
  privateAt,
  transports,
}: {
  readonly instance: string;
  readonly machine: string;
  readonly version: string;
  readonly settings: Pick<Settings, 'role' | 'advertise' | 'privateAdvertise'>;
  /** The prefix of every public path. A reload may change it. */
  readonly basePath: string;
  /** As that of the record. A reload may change it. */
  readonly urlKeys: boolean;
  /** The origin of the public listener, with its actual port. Empty without one. */
  readonly origin: string;
  /** Where the private listener listens. */
  readonly privateAt: { readonly host: string; readonly port: number };
  readonly transports: Pick<Transports, 'public' | 'private'>;
}): NodeRecord {
  const { public: ofPublic, private: ofPrivate } = transports;
  const listening = { scheme: ofPrivate.scheme, ...privateAt };
  const advertised = (): string => {
    const { port } = new URL(origin);
    const { scheme, host } = ofPublic;
    const at = { scheme, host, port: Number(port === '' ? defaultPorts[scheme] : port) };
    return advertisedOrigin(settings.advertise, at, machine) + basePath;
  };
  return {
    instance,
    role: settings.role,
    host: machine,
    pid: process.pid,
    version,
    url: origin === '' ? '' : origin + basePath,
    privateUrl: `${ofPrivate.scheme}://${urlHost(privateAt.host)}:${privateAt.port}`,
    advertisedUrl: origin === '' ? '' : advertised(),
    advertisedPrivateUrl: advertisedOrigin(settings.privateAdvertise, listening, machine),
    urlKeys,
    tlsCert: fileOf(ofPublic.certFile),
    privateTlsCert: fileOf(ofPrivate.certFile),
  };
}

/** The ports that a URL leaves out. */
const defaultPorts = { http: 80, https: 443 };

function fileOf(certFile: string): string {
  return certFile === '' ? '' : resolve(certFile);
}
