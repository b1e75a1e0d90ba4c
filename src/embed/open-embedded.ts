import { join } from 'node:path';
import { startService, type Service } from '../node/service/start-service.ts';
import { UsageFault } from '../lib/reports/operator-fault.ts';
import { requirePlan } from '../config/settings/rate-plans.ts';
import type { ConfigFile } from '../config/settings/read-config.ts';
import { resolveConfiguration } from '../node/service/resolve-configuration.ts';
import type { Settings } from '../config/settings/settings.ts';
import { programVersion } from '../node/program-version.ts';
import type { KeyProperties } from '../auth/issue-key.ts';
import { keyNameForm, keyScopes, parseKeyName } from '../domain/access/api-key.ts';
import { silentLog, type Log } from '../lib/reports/log.ts';
import type { EmbeddedService, KeyRequest, ServiceOptions } from './embedded-service.ts';
import { workerLines } from './worker-lines.ts';

/** The name of the options in messages, where that of the configuration file would be. */
const optionsName = 'the options';

/** Starts a service with the options of a program. See `startService`. */
export async function openEmbedded(options: ServiceOptions): Promise<EmbeddedService> {
  const { feeds, directory = '.', log = silentLog, ...values } = options;
  const file: ConfigFile = { name: join(directory, optionsName), values, feeds };
  const sources = {
    // Worker processes log through their standard error, which `workerLines` reads.
    flags: { logFormat: 'json' },
    environment: {},
    file: { name: optionsName, values: definedOf(values) },
  };
  const settings = await resolveConfiguration(sources, file);
  const service = await startService({
    settings,
    file,
    programLog: serviceLog(log),
    version: programVersion(),
    // A program that ignored the first key would lose it.
    canShowKey: false,
  });
  return embedded(service, settings);
}

function embedded(service: Service, settings: Settings): EmbeddedService {
  let stopped: Promise<void> | undefined;
  const stop = (): Promise<void> => (stopped ??= Promise.resolve(service[Symbol.asyncDispose]()));
  const { url, privateUrl, isSimulated } = service;
  return {
    url,
    privateUrl,
    isSimulated,
    createKey: async (request) => service.createKey(wishOf(request, settings)),
    stop,
    [Symbol.asyncDispose]: stop,
  };
}

/** @throws UsageFault when the request is not valid, for callers that no compiler checks. */
function wishOf(
  { name, scope = 'read', expiresAt, plan }: KeyRequest,
  settings: Settings,
): KeyProperties {
  const parsed = typeof name === 'string' ? parseKeyName(name) : undefined;
  if (parsed === undefined) throw new UsageFault(`The name of a key must be ${keyNameForm}.`);
  if (!keyScopes.includes(scope)) {
    throw new UsageFault(`The scope of a key must be one of ${keyScopes.join(', ')}.`);
  }
  const expiry = expiresAt?.getTime();
  if (Number.isNaN(expiry)) throw new UsageFault('The expiry of a key must be a valid Date.');
  if (plan !== undefined) requirePlan(settings, plan);
  return { name: parsed, scope, expiresAt: expiry, plan };
}

/** A log that passes everything on, also the lines of worker processes. */
function serviceLog(log: Log) {
  return { log, dropped: () => 0, writeLine: workerLines(log) };
}

/** The options that are set. An option that is `undefined` is not. */
function definedOf(values: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined));
}
