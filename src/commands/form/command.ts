import type { ConfigFile } from '../../config/settings/read-config.ts';
import type { SettingSources } from '../../config/settings/resolve-settings.ts';
import type { SettingName, Settings } from '../../config/settings/settings.ts';
import type { Log } from '../../lib/reports/log.ts';
import type { Installation } from './installation.ts';
import type { Report } from './report.ts';

/** An option. Its key in the list of a command is its name: `dryRun` is `--dry-run`. */
export interface Flag {
  readonly text: string;
  /** The placeholder of the value, such as `<FILE>`. A switch has none. */
  readonly value?: string;
  /** A second, short name, such as `-o`. */
  readonly short?: string;
  /** Reads the value. Of an option that may be repeated, it also receives what was read before. */
  readonly parse?: (text: string, before?: never) => unknown;
  readonly choices?: readonly string[];
  readonly fallback?: string | number;
  readonly isRequired?: true;
  /** The names of the options that exclude this one. */
  readonly conflicts?: readonly string[];
}

/**
 * An argument: its form, what it is, and how it is read, or its choices. `<FILE>` is required, `[FILE]` may be absent,
 * and `[FILE...]` may be repeated.
 */
export type Argument = readonly [
  form: string,
  text: string,
  parse?: ((text: string, before?: never) => unknown) | readonly string[],
];

type Flags = Readonly<Record<string, Flag>>;
type Arguments = Readonly<Record<string, Argument>>;

type Optional<Of> = Of extends { readonly isRequired: true } | { readonly fallback: unknown }
  ? never
  : undefined;

type FlagValue<Of> = Of extends { readonly value: string }
  ?
      | Optional<Of>
      | (Of extends { readonly parse: (text: string, before?: never) => infer Value }
          ? Value
          : Of extends { readonly choices: readonly (infer Choice)[] }
            ? Choice
            : string)
  : boolean;

type ArgumentValue<Of> = Of extends readonly [infer Form, string, ...infer Rest]
  ?
      | (Form extends `<${string}` ? never : Form extends `${string}...]` ? never : undefined)
      | (Rest extends readonly [(text: string, before?: never) => infer Value]
          ? Value
          : Rest extends readonly [readonly (infer Choice)[]]
            ? Choice
            : Form extends `${string}...${string}`
              ? readonly string[]
              : string)
  : never;

/** The settings of a command, and where they come from. */
export interface Configuration {
  readonly settings: Settings;
  readonly sources: SettingSources;
  readonly file: ConfigFile | undefined;
  /** The flag or the variable that names the file. */
  readonly fileNamedBy: string | undefined;
}

/** What a command receives: its arguments and flags, the installation, the input and the output. */
export interface Context<A = Arguments, F = Flags> extends Installation {
  readonly args: { readonly [Name in keyof A]: ArgumentValue<A[Name]> };
  readonly flags: { readonly [Name in keyof F]: FlagValue<F[Name]> };
  /** Reads the settings from the flags, the environment and the configuration file. A repeated call reads them again. */
  readonly configuration: () => Promise<Configuration>;
  readonly stdin: AsyncIterable<Uint8Array>;
  /** Prints a text at once, before the report. */
  readonly print: (text: string) => void;
  readonly printCsv: (text: string) => void;
  readonly printError: (text: string) => void;
  /** Shows a line of progress, if standard error is a terminal. The next text that is printed replaces it. */
  readonly progress: (line: () => string) => void;
  /** Prints warnings and errors on standard error. */
  readonly log: Log;
  /** Is aborted by the first Ctrl-C, from the moment at which the command reads it. A second one ends the process. */
  readonly signal: AbortSignal;
  /** Is aborted when the program that reads standard output has ended. */
  readonly readerGone: AbortSignal;
  /** At Ctrl-C, prints a text before the process ends. */
  readonly onInterrupt: (text: () => string) => void;
  /** Asks for a secret on the terminal. Undefined without one. */
  readonly askSecret: ((question: string) => Promise<string>) | undefined;
}

/** A command: what it is called with, and what it does. The help, the manual page and the completion follow from it. */
export interface Command<A = Arguments, F = Flags> {
  readonly name: string;
  /** What it does, in the list of commands and, without a description, in its help. */
  readonly summary: string;
  readonly description?: string;
  readonly args?: A;
  readonly flags?: F;
  /** The settings that it accepts, besides `--config`. A command without settings has no configuration. */
  readonly settings?: readonly SettingName[];
  /** The settings that the help shows: all of them briefly, all with their whole description, or only these. */
  readonly help?: 'whole' | readonly SettingName[];
  /** As a shell reads them. */
  readonly examples: readonly string[];
  run(context: Context<A, F>): Promise<Report | void>;
}

/** Commands with a first word in common. */
export interface Group {
  readonly name: string;
  readonly summary: string;
  readonly commands: readonly Command[];
}

/** Declares a command, whose context has the types of its arguments and options. */
export function command<const A extends Arguments, const F extends Flags>(
  declared: Command<A, F>,
): Command<A, F> {
  return declared;
}
