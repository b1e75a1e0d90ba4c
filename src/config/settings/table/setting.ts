import type { JsonSchema } from '../../../lib/text/json-schema.ts';

/** The groups of settings, in the order of `--help` and `docs/settings.md`. */
export const settingGroups = [
  'Service',
  'Public listener',
  'Requests and connections',
  'Streams',
  'Rate limits',
  'Private listener',
  'Log',
] as const;

/** The name of a group: a heading of `--help` and `docs/settings.md`. */
type SettingGroup = (typeof settingGroups)[number];

/** What the values of a setting are, and how a text is read as one. */
export interface SettingKind<T> {
  /** The value in `--help`: `PORT`, `DIR`. */
  readonly placeholder: string;
  /** The valid values, for the documentation and for the error about an invalid one. */
  readonly valid: string;
  /** The value of a text, or undefined for an invalid text. */
  readonly parse: (text: string) => T | undefined;
  /** The JSON Schema of the values in the configuration file. It accepts what `parse` accepts. */
  readonly schema: JsonSchema;
  /** Whether the configuration file has the value as a mapping. Other values are one text or one number. */
  readonly isMapping?: true;
  /** The words that a shell completes, for a value that is one of some words. */
  readonly words?: readonly string[];
}

/** One setting: everything that the program and its documentation know about it. */
export interface Setting<T> {
  readonly group: SettingGroup;
  readonly kind: SettingKind<T>;
  /** The default, as an operator would write it. */
  readonly fallback: string;
  /** What the setting limits or enables, its unit, and what happens at the limit. */
  readonly description: string;
  /** A reload applies a changed value. Otherwise the value applies after a restart. */
  readonly reloadable?: true;
  /**
   * The limit applies to the whole service. Each of N processes gets an equal part, rounded up. Other
   * limits apply in each process as they are. Only a number can be shared.
   */
  readonly sharedOverWorkers?: true;
  /** The value may contain a secret. No message repeats it. */
  readonly secret?: true;
}

/** The settings of a group, by name. */
export type SettingTable = Readonly<Record<string, Omit<Setting<unknown>, 'group'>>>;

/** A part of the table of settings, with the name of its group. */
export function inGroup<const Table extends SettingTable>(
  group: SettingGroup,
  table: Table,
): { readonly [Name in keyof Table]: Table[Name] & { readonly group: SettingGroup } } {
  const settings = Object.entries(table).map(([name, setting]) => [name, { ...setting, group }]);
  return Object.fromEntries(settings);
}
