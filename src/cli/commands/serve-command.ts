import { once } from 'node:events';
import { Command } from 'commander';
import type { Logger } from 'pino';
import { takeLeastRights } from '../../node/service/least-rights.ts';
import { makeLog } from '../../node/log/make-log.ts';
import { presetTerms } from '../../config/feeds/presets.ts';
import { flagName, settingNames } from '../../config/settings/settings.ts';
import type { Service, UniverseChanges } from '../../node/service/start-service.ts';
import { firstKeyText } from './first-key-text.ts';
import { isShown } from './is-shown.ts';
import { ReloadOnHangup } from './reload-on-hangup.ts';
import { addSettingOptions, settingsOf } from '../flags/setting-options.ts';
import { print } from '../terminal/print.ts';

/** `pizarra serve`: runs the service until SIGINT or SIGTERM. */
export function serveCommand(version: string): Command {
  const command = new Command('serve')
    .description('serve quotes and history over HTTP')
    .option('--least-rights', 'run within the permission model of Node (docs/deploying.md)');
  return addSettingOptions(command, settingNames, 'whole').action(
    (flags: Record<string, unknown>) => runServe(flags, version),
  );
}

async function runServe(flags: Record<string, unknown>, version: string): Promise<void> {
  const { settings, file } = await settingsOf(flags);
  if (flags['leastRights'] === true) await takeLeastRights({ settings, file });
  // Loaded only now, because `takeLeastRights` may have replaced the process by one with fewer rights.
  const { startService } = await import('../../node/service/start-service.ts');
  const programLog = await makeLog(settings);
  const { log } = programLog;
  const stop = stopSignal();
  using hangup = new ReloadOnHangup(log);
  const canShowKey = isShown(process.stdout.fd, process.env);
  const stopping = new AbortController();
  void stop.then((signal) => stopping.abort(signal));
  const parts = { settings, file, programLog, version, canShowKey, stopping: stopping.signal };
  const service = await startService(parts).catch((fault: unknown) => {
    if (stopping.signal.aborted) return undefined;
    throw fault;
  });
  if (service === undefined) {
    log.info({ signal: stopping.signal.reason as unknown }, 'service stopped before it was ready');
    return programLog.flush();
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
    hangup.begin(() => reload({ service, flags, log }));
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
  flags,
  log,
}: {
  readonly service: Service;
  readonly flags: Record<string, unknown>;
  readonly log: Logger;
}): Promise<void> {
  const configured = await settingsOf(flags);
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
