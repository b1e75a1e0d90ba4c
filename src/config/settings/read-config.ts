import { readFile } from 'node:fs/promises';
import { LineCounter, parseDocument, type Document } from 'yaml';
import { yamlExcess } from '../../lib/text/yaml-excess.ts';
import { yamlPlaceOf } from '../../lib/text/yaml-places.ts';
import { UsageFault } from '../../lib/reports/operator-fault.ts';

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

/** Maximum length of a configuration file, in characters. Its nodes take some 200 bytes for each character. */
const charsMax = 1_048_576;

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
  if (text.length > charsMax) {
    throw new UsageFault(
      `${path} has more than ${charsMax} characters, the maximum. Check that it is the configuration file.`,
    );
  }
  const excess = yamlExcess(text);
  if (excess !== undefined) {
    const { line, column, message } = excess;
    throw new UsageFault(`${path}:${line}:${column}: ${message}.`);
  }
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines, prettyErrors: false });
  const [fault] = document.errors;
  if (fault !== undefined) {
    const { line, col } = lines.linePos(fault.pos[0]);
    throw new UsageFault(`${path}:${line}:${col}: invalid YAML: ${fault.message}.`);
  }
  const value = valueOf(document, path) ?? {};
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

/** The content of a document. A small file may refer to its own parts so often that its content is huge. */
function valueOf(document: Document.Parsed, path: string): unknown {
  try {
    return document.toJS();
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new UsageFault(
      `${path}: its aliases (such as "*name") cannot be resolved: ${reason}. Write the values instead of aliases.`,
      { cause },
    );
  }
}
