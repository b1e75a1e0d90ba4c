import { Option, type Command } from 'commander';
import {
  defaultConfigName,
  readConfig,
  type ConfigFile,
} from '../../config/settings/read-config.ts';
import { resolveConfiguration } from '../../node/service/resolve-configuration.ts';
import type { SettingSources } from '../../config/settings/resolve-settings.ts';
import {
  configVariable,
  environmentName,
  flagName,
  isSettingName,
  settingOf,
  type SettingName,
  type Settings,
} from '../../config/settings/settings.ts';

/** Variables of `pizarra mcp`. They are no settings, and the other commands ignore them. */
export const agentKeyVariable = 'PIZARRA_KEY';
export const agentUrlVariable = 'PIZARRA_URL';

/**
 * Adds `--config` and the flags of these settings to a command. Its help groups the flags.
 *
 * @param help `whole` shows the whole description of each setting, `brief` its first sentence. A list
 *   names the settings that the help shows briefly. The command accepts the others, too.
 */
export function addSettingOptions(
  command: Command,
  names: readonly SettingName[],
  help: 'whole' | 'brief' | readonly SettingName[] = 'brief',
): Command {
  for (const name of names) {
    const { group, kind, description, fallback } = settingOf(name);
    const shown = fallback === '' ? '' : `; default ${fallback}`;
    const text = help === 'whole' ? description : firstSentence(description);
    const option = new Option(
      `${flagName(name)} <${kind.placeholder}>`,
      `${text} (${environmentName(name)}${shown})`,
    );
    if (typeof help === 'object' && !help.includes(name)) option.hideHelp();
    command.addOption(option.helpGroup(`${group}:`));
  }
  return command.option(
    '--config <FILE>',
    `Configuration file (${configVariable}; default ${defaultConfigName}, if it exists)`,
  );
}

/** A sentence ends with a period before a capital letter. */
function firstSentence(description: string): string {
  return description.split(/(?<=\.) (?=[A-Z])/, 1)[0] ?? description;
}

/** What a command was started with. */
interface CommandSources {
  readonly sources: SettingSources;
  readonly file: ConfigFile | undefined;
  /** What names the configuration file: its flag, its variable, or neither. */
  readonly fileNamedBy: string | undefined;
}

/** Collects where the settings of a command come from: its flags, the environment and the configuration file. */
export async function sourcesOf(flags: Readonly<Record<string, unknown>>): Promise<CommandSources> {
  const {
    [configVariable]: variable,
    [agentKeyVariable]: _key,
    [agentUrlVariable]: _url,
    ...environment
  } = process.env;
  const flag = typeof flags['config'] === 'string' ? flags['config'] : undefined;
  const file = await readConfig(flag ?? variable);
  const given = Object.entries(flags).filter((entry): entry is [string, string] =>
    isSettingName(entry[0]),
  );
  const namedBy = flag !== undefined ? '--config' : configVariable;
  return {
    sources: {
      flags: Object.fromEntries(given),
      environment,
      ...(file === undefined ? {} : { file }),
    },
    file,
    fileNamedBy: flag === undefined && variable === undefined ? undefined : namedBy,
  };
}

/** Reads the settings from a command's flags, the environment and the configuration file. */
export async function settingsOf(
  flags: Readonly<Record<string, unknown>>,
): Promise<{ readonly settings: Settings; readonly file: ConfigFile | undefined }> {
  const { sources, file } = await sourcesOf(flags);
  return { settings: await resolveConfiguration(sources, file), file };
}
