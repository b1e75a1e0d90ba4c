import { environmentName, flagName, settingNames, settingsTable } from './settings.ts';
import type { SettingName, Settings } from './settings.ts';
import { UsageFault } from '../operator-fault.ts';

/** Where settings are told, strongest first: flags, environment, file. */
export interface SettingSources {
  readonly flags: Readonly<Partial<Record<SettingName, string>>>;
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** The configuration file's settings, and its name for messages. */
  readonly file?: { readonly name: string; readonly values: Readonly<Record<string, unknown>> };
}

/**
 * The settings that the sources tell, with the table's defaults for the rest.
 *
 * @throws UsageFault that names every value that cannot be, where it was told, and what could.
 */
export function resolveSettings(sources: SettingSources): Settings {
  const faults: string[] = unknownNames(sources);
  const resolved: Record<string, unknown> = {};
  for (const name of settingNames) {
    const { value, origin } = toldOrDefault(name, sources);
    const setting = settingsTable[name];
    resolved[name] = setting.parse(value);
    if (resolved[name] === undefined) {
      faults.push(`${origin} cannot be ${JSON.stringify(value)}: it takes ${setting.valid}.`);
    }
  }
  if (faults.length > 0) throw new UsageFault(faults.join('\n'));
  return resolved as Settings;
}

function toldOrDefault(
  name: SettingName,
  { flags, environment, file }: SettingSources,
): { readonly value: string; readonly origin: string } {
  const flag = flags[name];
  if (flag !== undefined) return { value: flag, origin: flagName(name) };
  const variable = environmentName(name);
  const told = environment[variable];
  if (told !== undefined) return { value: told, origin: variable };
  const inFile = file?.values[name];
  if (inFile !== undefined && inFile !== null) {
    return { value: textOf(inFile), origin: `${name} in ${file?.name}` };
  }
  return { value: settingsTable[name].fallback, origin: name };
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}

/** A misspelled setting would otherwise be silently without effect. */
function unknownNames({ environment, file }: SettingSources): string[] {
  const variables = new Set(settingNames.map(environmentName));
  return [
    ...Object.keys(environment)
      .filter((variable) => variable.startsWith('PIZARRA_') && !variables.has(variable))
      .map((variable) => `${variable} is not a setting; see "pizarra serve --help".`),
    ...Object.keys(file?.values ?? {})
      .filter((name) => !Object.hasOwn(settingsTable, name))
      .map((name) => `${name} in ${file?.name} is not a setting; see "pizarra serve --help".`),
  ];
}
