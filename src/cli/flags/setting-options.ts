import type { Command } from 'commander';
import { Option } from 'commander';
import { defaultConfigName, readConfig } from '../../app/settings/read-config.ts';
import type { ConfigFile } from '../../app/settings/read-config.ts';
import { resolveSettings } from '../../app/settings/resolve-settings.ts';
import { environmentName, flagName, settingsTable } from '../../app/settings/settings.ts';
import type { SettingName, Settings } from '../../app/settings/settings.ts';

/** The environment variable that names the configuration file. */
const configVariable = 'PIZARRA_CONFIG';

/** Adds `--config` and the flags of these settings to a command, with their help. */
export function addSettingOptions(command: Command, names: readonly SettingName[]): Command {
  for (const name of names) {
    const { placeholder, description, fallback } = settingsTable[name];
    const shown = fallback === '' ? '' : `; default ${fallback}`;
    const option = new Option(
      `${flagName(name)} <${placeholder}>`,
      `${description} (${environmentName(name)}${shown})`,
    );
    command.addOption(option);
  }
  return command.option(
    '--config <FILE>',
    `Configuration file (${configVariable}; default ${defaultConfigName}, where there is one)`,
  );
}

/** The settings that a command's flags, the environment and the configuration file tell. */
export async function settingsOf(
  flags: Readonly<Record<string, unknown>>,
): Promise<{ readonly settings: Settings; readonly file: ConfigFile | undefined }> {
  const { [configVariable]: variable, ...environment } = process.env;
  const file = await readConfig(typeof flags['config'] === 'string' ? flags['config'] : variable);
  const told = Object.entries(flags).filter(([name]) => Object.hasOwn(settingsTable, name));
  const settings = resolveSettings({
    flags: Object.fromEntries(told),
    environment,
    ...(file === undefined ? {} : { file }),
  });
  return { settings, file };
}
