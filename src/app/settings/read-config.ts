import { readFile } from 'node:fs/promises';
import { LineCounter, parseDocument } from 'yaml';
import { yamlPlaceOf } from '../../lib/yaml-places.ts';
import { UsageFault } from '../operator-fault.ts';

/** The content of the configuration file. */
export interface ConfigFile {
  readonly name: string;
  /** Values by the name of the setting. */
  readonly values: Readonly<Record<string, unknown>>;
  /** The value of `feeds:`, not validated yet. */
  readonly feeds: unknown;
  /** Finds a value of the file: line and column, from 1. */
  readonly placeOf?: (
    path: readonly (string | number)[],
    part: 'key' | 'value',
  ) => { readonly line: number; readonly column: number };
}

/** The file that is read if it exists and no other file is named. */
export const defaultConfigName = 'pizarra.yaml';

/**
 * Reads the configuration file: a YAML mapping of settings, with `feeds:` beside them.
 *
 * @param name the file that the operator named, or undefined for the default file, which need not
 *   exist.
 * @throws UsageFault when a named file cannot be read, or a file is not such a mapping.
 */
export async function readConfig(name: string | undefined): Promise<ConfigFile | undefined> {
  const path = name ?? defaultConfigName;
  const text = await readFile(path, 'utf8').catch((cause: unknown) => {
    if (name === undefined && (cause as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw new UsageFault(
      `Cannot read the configuration file ${path}. Check that it exists and that this user may read it.`,
      { cause },
    );
  });
  if (text === undefined) return undefined;
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines });
  const [fault] = document.errors;
  if (fault !== undefined) {
    const { line, col } = lines.linePos(fault.pos[0]);
    throw new UsageFault(`${path}:${line}:${col}: invalid YAML: ${fault.code}.`);
  }
  const value: unknown = document.toJS() ?? {};
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new UsageFault(`${path} must be a mapping of settings, such as "port: 8080".`);
  }
  const { feeds, ...values } = value as Record<string, unknown>;
  return {
    name: path,
    values,
    feeds,
    placeOf: (steps, part) => yamlPlaceOf(document, lines, steps, part),
  };
}
