import { environmentName, flagName, isSettingName, settingNames, settingOf } from './settings.ts';
import type { SettingName, Settings } from './settings.ts';
import { UsageFault } from '../operator-fault.ts';

/** Where values of settings come from, in order of precedence: flags, environment, file. */
export interface SettingSources {
  readonly flags: Readonly<Partial<Record<SettingName, string>>>;
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** The values of the configuration file, and the name of the file for error messages. */
  readonly file?: { readonly name: string; readonly values: Readonly<Record<string, unknown>> };
}

/**
 * The settings that result from the sources and, for the rest, from the defaults of the table.
 *
 * @throws UsageFault that lists every invalid value, where it was set, and what would be valid.
 */
export function resolveSettings(sources: SettingSources): Settings {
  const faults: string[] = unknownNames(sources);
  const resolved: Record<string, unknown> = {};
  for (const name of settingNames) {
    const { value, origin } = configuredOrDefault(name, sources);
    const { kind, secret } = settingOf(name);
    resolved[name] = kind.parse(value);
    if (resolved[name] === undefined) {
      const shown = secret === true ? 'this value' : JSON.stringify(value);
      faults.push(`${origin} cannot be ${shown}. Valid: ${kind.valid}.`);
    }
  }
  if (faults.length > 0) throw new UsageFault(faults.join('\n'));
  return resolved as Settings;
}

function configuredOrDefault(
  name: SettingName,
  { flags, environment, file }: SettingSources,
): { readonly value: string; readonly origin: string } {
  const flag = flags[name];
  if (flag !== undefined) return { value: flag, origin: flagName(name) };
  const variable = environmentName(name);
  const inEnvironment = environment[variable];
  if (inEnvironment !== undefined) return { value: inEnvironment, origin: variable };
  const inFile = file?.values[name];
  if (inFile !== undefined && inFile !== null) {
    return { value: textOf(inFile), origin: `${name} in ${file?.name}` };
  }
  return { value: settingOf(name).fallback, origin: name };
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}

/** The unknown names are errors: a misspelled setting would otherwise have no effect, unnoticed. */
function unknownNames({ environment, file }: SettingSources): string[] {
  const variables = new Set(settingNames.map(environmentName));
  return [
    ...Object.keys(environment)
      .filter((variable) => variable.startsWith('PIZARRA_') && !variables.has(variable))
      .map((variable) => `${variable} is not a setting; see "pizarra serve --help".`),
    ...Object.keys(file?.values ?? {})
      .filter((name) => !isSettingName(name))
      .map((name) => `${name} in ${file?.name} is not a setting; see "pizarra serve --help".`),
  ];
}
