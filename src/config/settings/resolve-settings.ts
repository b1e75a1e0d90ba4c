import { isIP } from 'node:net';

import { didYouMean } from '../../lib/text/closest.ts';
import type { ConfigFile } from './read-config.ts';
import {
  configVariable,
  environmentName,
  flagName,
  isSettingName,
  settingNames,
  settingOf,
  type SettingName,
  type Settings,
} from './settings.ts';
import { UsageFault } from '../../lib/reports/operator-fault.ts';

/** Where values of settings come from, in order of precedence: flags, environment, file. */
export interface SettingSources {
  readonly flags: Readonly<Record<string, string | undefined>>;
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** The values of the configuration file, and where they are, for error messages. */
  readonly file?: Pick<ConfigFile, 'name' | 'values' | 'placeOf'>;
}

/**
 * The settings that result from the sources and, for the rest, from the defaults of the table.
 *
 * @throws UsageFault that lists every invalid value, where it was set, and what would be valid.
 */
export function resolveSettings(configured: SettingSources): Settings {
  const sources = { ...configured, environment: withoutServiceLinks(configured.environment) };
  const faults: string[] = unknownNames(sources);
  const resolved: Record<string, unknown> = {};
  for (const name of settingNames) {
    const { value, origin, isStructure } = configuredOrDefault(name, sources);
    const { kind, secret } = settingOf(name);
    const isWrongType = isStructure === true && kind.isMapping !== true;
    resolved[name] = isWrongType ? undefined : kind.parse(value);
    if (resolved[name] === undefined) {
      const shown = secret === true ? 'this value' : JSON.stringify(value);
      faults.push(`${origin} cannot be ${shown}. Valid: ${kind.valid}.`);
    }
  }
  if (faults.length > 0) throw new UsageFault(faults.join('\n'));
  return resolved as Settings;
}

/** What sets a setting. */
export type SettingSource = 'flag' | 'environment' | 'file' | 'default';

/** A value, and where it was set. */
interface Configured {
  readonly value: string;
  readonly origin: string;
  readonly source: SettingSource;
  /** Whether it is a list or a mapping of the file, written as JSON. */
  readonly isStructure?: boolean;
}

function configuredOrDefault(
  name: SettingName,
  { flags, environment, file }: SettingSources,
): Configured {
  const variable = environmentName(name);
  const written = file?.values[name];
  const found = [
    { source: 'flag' as const, origin: flagName(name), value: flags[name] },
    { source: 'environment' as const, origin: variable, value: environment[variable] },
    {
      source: 'file' as const,
      origin: originIn(file, name, 'value'),
      value: textOf(written),
      isStructure: typeof written === 'object',
    },
  ].find(isSet);
  return found ?? { value: settingOf(name).fallback, origin: name, source: 'default' };
}

/** Where the value of a setting comes from. */
export function originOf(name: SettingName, configured: SettingSources): SettingSource {
  const environment = withoutServiceLinks(configured.environment);
  return configuredOrDefault(name, { ...configured, environment }).source;
}

function isSet<T extends { readonly value: string | undefined }>(
  one: T,
): one is T & { readonly value: string } {
  return one.value !== undefined;
}

function textOf(value: unknown): string | undefined {
  if (value === undefined || value === null) return undefined;
  return typeof value === 'string' ? value : JSON.stringify(value);
}

/** A value or a key of the file, as compilers write it: `pizarra.yaml:3:1: port`. */
function originIn(file: SettingSources['file'], name: string, part: 'key' | 'value'): string {
  const place = file?.values[name] === undefined ? undefined : file.placeOf?.([name], part);
  if (place === undefined) return `${name} in ${file?.name}`;
  return `${file?.name}:${place.line}:${place.column}: ${name}`;
}

/** The unknown names are errors: a misspelled setting would otherwise have no effect, unnoticed. */
function unknownNames({ environment, file }: SettingSources): string[] {
  const variables = new Set(settingNames.map(environmentName));
  return [
    ...Object.keys(environment)
      .filter((variable) => variable.startsWith('PIZARRA_') && !variables.has(variable))
      .map(
        (variable) =>
          `${variable} is not a setting; see "pizarra serve --help".${didYouMean(variable, [...variables, configVariable])}`,
      ),
    ...Object.keys(file?.values ?? {})
      .filter((name) => !isSettingName(name))
      .map(
        (name) =>
          `${originIn(file, name, 'key')} is not a setting; see "pizarra serve --help".${didYouMean(name, [...settingNames, 'feeds'])}`,
      ),
  ];
}

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * The environment without the variables that Kubernetes adds for a Service named `pizarra` or
 * `pizarra-…`. They have the prefix of the settings: `PIZARRA_PORT=tcp://10.0.0.11:80` is no port to
 * listen on. Only the documented names are left out, and only with the address of the Service in the
 * documented shape, so a mistake in a setting is still found.
 *
 * https://kubernetes.io/docs/concepts/services-networking/service/#environment-variables
 */
export function withoutServiceLinks(environment: Environment): Environment {
  const links = new Set<string>();
  for (const [variable, host] of Object.entries(environment)) {
    const service = /^(PIZARRA(?:_[A-Z0-9]+)*)_SERVICE_HOST$/.exec(variable)?.[1];
    if (service === undefined || host === undefined || isIP(host) === 0) continue;
    for (const [name, value = ''] of Object.entries(environment)) {
      if (name.startsWith(`${service}_`) && isLink(name.slice(service.length), { value, host })) {
        links.add(name);
      }
    }
  }
  if (links.size === 0) return environment;
  return Object.fromEntries(Object.entries(environment).filter(([name]) => !links.has(name)));
}

/** Whether a variable is one of those of the Service at an address, by what follows its name. */
function isLink(
  suffix: string,
  { value, host }: { readonly value: string; readonly host: string },
): boolean {
  if (suffix === '_SERVICE_HOST') return value === host;
  if (/^_SERVICE_PORT(?:_[A-Z0-9_]+)?$/.test(suffix)) return isPort(value);
  if (suffix === '_PORT') {
    const [protocol = '', port = ''] = /^([a-z]+):.*:(\d+)$/.exec(value)?.slice(1) ?? [];
    return isAddress(value, { protocol, host, port });
  }
  const [port = '', upper = '', field] =
    /^_PORT_(\d+)_(TCP|UDP|SCTP)(?:_(PROTO|PORT|ADDR))?$/.exec(suffix)?.slice(1) ?? [];
  const protocol = upper.toLowerCase();
  if (port === '') return false;
  if (field === 'PROTO') return value === protocol;
  if (field === 'PORT') return value === port;
  if (field === 'ADDR') return value === host;
  return isAddress(value, { protocol, host, port });
}

function isAddress(
  value: string,
  { protocol, host, port }: Readonly<Record<'protocol' | 'host' | 'port', string>>,
): boolean {
  const shown = isIP(host) === 6 ? `[${host}]` : host;
  return (
    ['tcp', 'udp', 'sctp'].includes(protocol) &&
    isPort(port) &&
    value === `${protocol}://${shown}:${port}`
  );
}

function isPort(text: string): boolean {
  return /^[1-9]\d{0,4}$/.test(text) && Number(text) <= 65_535;
}
