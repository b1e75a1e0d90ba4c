import { once } from 'node:events';
import type { Logger } from 'pino';
import { takeLeastRights } from '../node/service/least-rights.ts';
import { makeLog } from '../node/log/make-log.ts';
import { presetTerms } from '../config/feeds/presets.ts';
import { flagName, settingNames, type Settings } from '../config/settings/settings.ts';
import type { Service, UniverseChanges } from '../node/service/start-service.ts';
import { programVersion } from '../node/program-version.ts';
import { command, type Context } from './form/command.ts';
import type { Log } from '../lib/reports/log.ts';
import { reachableUrl } from '../lib/network/url-host.ts';
import { fstatSync } from 'node:fs';
import { isatty } from 'node:tty';

/** Runs the service until SIGINT or SIGTERM. */
export const serve = command({
  name: 'serve',
  summary: 'serve quotes and history over HTTP',
  flags: {
    leastRights: { text: 'run within the permission model of Node (docs/deploying.md)' },
  },
  settings: settingNames,
  help: 'whole',
  examples: [
    'pizarra serve                           # the demonstration, at http://127.0.0.1:8080',
    'pizarra serve --market argentina        # public sources that need no account',
    'pizarra serve --store /var/lib/pizarra --config /etc/pizarra/pizarra.yaml',
    'pizarra serve --port 9080 --private-port 9081 --behind-proxy 127.0.0.1',
  ],
  run: runServe,
});

async function runServe({
  flags,
  configuration,
  print,
}: Pick<Context, 'configuration' | 'print'> & {
  readonly flags: { readonly leastRights: boolean };
}): Promise<void> {
  const { settings, file } = await configuration();
  if (flags.leastRights) await takeLeastRights({ settings, file });
  // Loaded only now, because `takeLeastRights` may have replaced the process by one with fewer rights.
  const { startService } = await import('../node/service/start-service.ts');
  const programLog = await makeLog(settings);
  const { log } = programLog;
  const stop = stopSignal();
  using hangup = new ReloadOnHangup(log);
  const canShowKey = isShown(process.stdout.fd, process.env);
  const stopping = new AbortController();
  void stop.then((signal) => stopping.abort(signal));
  const version = programVersion();
  const parts = { settings, file, programLog, version, canShowKey, stopping: stopping.signal };
  const service = await startService(parts).catch((fault: unknown) => {
    if (stopping.signal.aborted) return undefined;
    throw fault;
  });
  if (service === undefined) {
    log.info({ signal: stopping.signal.reason as unknown }, 'service stopped before it was ready');
    return await programLog.flush();
  }
  try {
    const { url, privateUrl, storeName } = service;
    log.info({ url, privateUrl, store: storeName }, 'service ready');
    const sources = presetTerms(settings);
    if (sources !== undefined) log.info({ market: settings.market, sources }, sourcesText);
    if (service.isSimulated) log.warn({}, demonstrationText);
    if (service.firstKey !== undefined) {
      print(firstKeyText(service.firstKey.key, service.url, settings));
    }
    hangup.begin(() => reload({ service, configuration, log }));
    const signal = await stop;
    hangup.end();
    log.info({ signal }, 'service stopping');
  } finally {
    await service[Symbol.asyncDispose]();
  }
  log.info({}, 'service stopped');
  await programLog.flush();
}

/** Reads the settings, the configuration file and the universe again, and logs the result. */
async function reload({
  service,
  configuration,
  log,
}: Pick<Context, 'configuration'> & {
  readonly service: Service;
  readonly log: Logger;
}): Promise<void> {
  const configured = await configuration();
  const { universe, settings, needRestart } = await service.reload(configured);
  log.level = configured.settings.logLevel;
  if (needRestart.length > 0) {
    log.warn({ settings: needRestart }, 'changed settings apply after a restart');
  }
  log.info({ ...summaryOf(universe), settings }, 'configuration reloaded');
}

/** Maximum number of instruments of each kind that a log line names. Its counts cover all. */
const namedMax = 20;

function summaryOf({ added, removed, changed, terms, panels, markets }: UniverseChanges): object {
  return {
    added: { count: added.length, first: added.slice(0, namedMax) },
    removed: { count: removed.length, first: removed.slice(0, namedMax) },
    changed: { count: changed.length, first: changed.slice(0, namedMax) },
    terms: { count: terms.length, first: terms.slice(0, namedMax) },
    panels,
    markets,
  };
}

/** Waits for the first SIGINT or SIGTERM. The next one ends the process at once. */
async function stopSignal(): Promise<string> {
  const waiting = new AbortController();
  const signals = ['SIGINT', 'SIGTERM'] as const;
  const first = await Promise.race(
    signals.map(async (signal) => {
      await once(process, signal, { signal: waiting.signal }).catch(() => undefined);
      return signal;
    }),
  );
  waiting.abort();
  return first;
}

const demonstrationText = `demonstration running: all prices are simulated. It ends when data is imported, a feed is configured, or an ingest key is created. To see the real market, start with ${flagName('market')} argentina`;

const sourcesText =
  'market data come from public sources, under the terms of each source (docs/sources.md)';

/**
 * Reloads on SIGHUP, one reload after the other. Signals during a reload cause one more reload. It is
 * created before the service starts, because SIGHUP must not end a starting program. A signal before
 * {@link begin} causes a reload at {@link begin}.
 */
class ReloadOnHangup implements Disposable {
  readonly #log: Log;
  #reload: (() => Promise<void>) | undefined;
  #isAsked = false;
  #isRunning = false;

  constructor(log: Log) {
    this.#log = log;
    process.on('SIGHUP', this.#onSignal);
  }

  /** Starts to handle signals. */
  begin(onSignal: () => Promise<void>): void {
    this.#reload = onSignal;
    void this.#run();
  }

  /** Ignores further signals, because the service is stopping. */
  end(): void {
    this.#reload = undefined;
  }

  readonly #onSignal = (): void => {
    this.#isAsked = true;
    void this.#run();
  };

  async #run(): Promise<void> {
    if (this.#isRunning || this.#reload === undefined) return;
    this.#isRunning = true;
    while (this.#isAsked && this.#reload !== undefined) {
      this.#isAsked = false;
      try {
        await this.#reload();
      } catch (fault) {
        // The message of a fault tells the operator what to do.
        const reason = fault instanceof Error ? fault.message : String(fault);
        this.#log.error({ err: fault, reason }, 'configuration not reloaded, nothing changed');
      }
    }
    this.#isRunning = false;
  }

  [Symbol.dispose](): void {
    this.end();
    process.removeListener('SIGHUP', this.#onSignal);
  }
}

/**
 * The text of the first start: the first key, and a link that opens the playground with it. The key is
 * in the fragment of the link, which browsers do not send to a server.
 *
 * Behind a proxy that terminates TLS the service does not know its public name, so the link has a
 * placeholder.
 */
export function firstKeyText(
  key: string,
  listeningAt: string,
  { behindProxy, tlsCert, basePath }: Pick<Settings, 'behindProxy' | 'tlsCert' | 'basePath'>,
): string {
  const isProxied = behindProxy.length > 0 && tlsCert === '';
  const url = isProxied ? `https://NAME${basePath}` : reachableUrl(listeningAt);
  const note = isProxied ? ' (NAME is the public name of your proxy)' : '';
  return `
Open Pizarra in a browser${note}:

  ${url}/#key=${key}

This link has the first API key of this installation. It is shown only now; keep it safe. From a shell:

  curl -H "Authorization: Bearer ${key}" "${url}/cotizaciones?panel=IND"

`;
}

/**
 * Whether a text that is written to a descriptor is shown and stored nowhere else: to a terminal, or to another program,
 * such as that of a container, whose log the operator reads. A file would keep it, and `/dev/null` would lose it.
 */
export function isShown(descriptor: number, environment: NodeJS.ProcessEnv): boolean {
  const stats = fstatSync(descriptor);
  if (stats.isCharacterDevice()) return isatty(descriptor);
  return !stats.isFile() && !isJournal(descriptor, environment);
}

/**
 * Whether a descriptor writes to the journal of systemd, which stores the text and shows it to other
 * users. `JOURNAL_STREAM` has the device and the inode of the journal's socket (systemd.exec(5)).
 */
function isJournal(descriptor: number, environment: NodeJS.ProcessEnv): boolean {
  const { JOURNAL_STREAM: journal } = environment;
  if (journal === undefined) return false;
  const { dev, ino } = fstatSync(descriptor);
  return journal === `${dev}:${ino}`;
}
