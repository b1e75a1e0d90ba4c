import { X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import type { Universe } from '../../domain/instruments/universe.ts';
import type { FeedConfig, FeedType } from './feed-type.ts';

/** One feed of the configuration with its type. */
export interface ConfiguredFeed {
  readonly type: FeedType;
  readonly config: FeedConfig;
  /** The content of the file that `ca` names. */
  readonly ca?: string;
}

/** One fault of the configuration. */
export interface FeedConfigFault {
  /** Where, such as `feeds[0].speed`. */
  readonly path: string;
  /** Line and column in the file, from 1. Absent where the value did not come from a file. */
  readonly place?: Place;
  /** The rest of a sentence that the path begins: "must be …". */
  readonly message: string;
}

/** A position in a text, from 1. */
interface Place {
  readonly line: number;
  readonly column: number;
}

/** The keys and indexes that lead to a value. */
type Path = readonly (string | number)[];

/** The feeds that a configuration names, or all of its faults. */
export type FeedConfigResult =
  | { readonly ok: true; readonly feeds: readonly ConfiguredFeed[] }
  | { readonly ok: false; readonly faults: readonly FeedConfigFault[] };

/** What a configuration is validated against. */
interface FeedConfigContext {
  readonly types: readonly FeedType[];
  readonly universe: Universe;
  /** Relative paths start here. By default the working directory. */
  readonly directory?: string;
  /** Finds a value in the text it was read from; `key` means the name of the last key of the path. */
  readonly placeOf?: (path: Path, part: 'key' | 'value') => Place | undefined;
}

/**
 * Validates the value of `feeds:` in the configuration file. Absent or empty means no feeds. All
 * faults are reported together. A field that the type does not have is a fault.
 */
export function readFeedConfig(value: unknown, context: FeedConfigContext): FeedConfigResult {
  if (value === undefined || value === null) return { ok: true, feeds: [] };
  const faults = new Faults(context);
  if (!Array.isArray(value)) {
    faults.add(['feeds'], 'must be a list of feeds');
    return { ok: false, faults: faults.list };
  }
  const feeds = value.flatMap((one: unknown, index) => {
    const feed = readFeed(one, ['feeds', index], context, faults);
    return feed === undefined ? [] : [feed];
  });
  checkTogether(feeds, faults);
  return faults.list.length === 0 ? { ok: true, feeds } : { ok: false, faults: faults.list };
}

function readFeed(
  value: unknown,
  path: Path,
  { types, universe, directory = '.' }: FeedConfigContext,
  faults: Faults,
): ConfiguredFeed | undefined {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    faults.add(path, 'must be a map with the fields name and type');
    return undefined;
  }
  const type = types.find((one) => 'type' in value && one.type === value.type);
  if (type === undefined) {
    faults.add([...path, 'type'], `must be one of ${listed(types.map((one) => one.type))}`);
    return undefined;
  }
  const read = type.schema.try(withoutNulls(value, type));
  if (!read.ok) {
    for (const issue of read.issues) addIssue(issue, path, type, faults);
    return undefined;
  }
  checkNames(read.value, path, universe, faults);
  const { ca: file } = read.value;
  if (file === undefined) return { type, config: read.value };
  const authorities = readAuthorities(resolve(directory, file));
  if ('pem' in authorities) return { type, config: read.value, ca: authorities.pem };
  faults.add([...path, 'ca'], authorities.fault);
  return undefined;
}

/** YAML has `null` where a key has no value; such a field is absent. An unknown one is a fault all the same. */
function withoutNulls(value: object, { schema }: FeedType): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(value).filter(
      ([name, field]: [string, unknown]) => field !== null || !Object.hasOwn(schema.shape, name),
    ),
  );
}

type Issue = Extract<ReturnType<FeedType['schema']['try']>, { ok: false }>['issues'][number];

function addIssue(issue: Issue, base: Path, type: FeedType, faults: Faults): void {
  const path = [...base, ...issue.path];
  switch (issue.code) {
    case 'unrecognized_keys': {
      const names = issue.path.length === 0 ? Object.keys(type.schema.shape) : [];
      const valid = names.length === 0 ? '' : `; the type ${type.type} has ${listed(names)}`;
      for (const key of issue.keys)
        faults.add([...path, key], `is not a known field${valid}`, 'key');
      break;
    }
    case 'missing_value':
      faults.add(path, 'is missing');
      break;
    case 'invalid_type':
      faults.add(path, `must be of type ${issue.expected.join(' or ')}`);
      break;
    case 'invalid_literal':
      faults.add(path, `must be one of ${listed(issue.expected.map(String))}`);
      break;
    case 'invalid_length':
      faults.add(path, `must have at least ${issue.minLength} items`);
      break;
    case 'invalid_union':
      faults.add(path, 'has a value that is not valid');
      break;
    case 'custom_error':
      faults.add(path, issue.message ?? 'has a value that is not valid');
      break;
  }
}

/** Markets and tickers must exist in the universe. */
function checkNames(config: FeedConfig, path: Path, universe: Universe, faults: Faults): void {
  for (const [index, market] of (config.markets ?? []).entries()) {
    if (!universe.markets.has(market)) {
      const known = listed(universe.markets.keys());
      faults.add([...path, 'markets', index], `must be a market of the universe: ${known}`);
    }
  }
  for (const key of ['include', 'exclude'] as const) {
    for (const [index, ticker] of (config.instruments?.[key] ?? []).entries()) {
      if (universe.find(ticker) === undefined) {
        const at = [...path, 'instruments', key, index];
        faults.add(at, `must be a ticker of the universe, and ${JSON.stringify(ticker)} is none`);
      }
    }
  }
}

/** Feeds that are valid one by one may still not run together. */
function checkTogether(feeds: readonly ConfiguredFeed[], faults: Faults): void {
  const repeated = feeds.find(
    ({ config }, index) => feeds.findIndex((one) => one.config.name === config.name) < index,
  );
  if (repeated !== undefined) {
    faults.add(['feeds'], `has two feeds named ${repeated.config.name}`);
  }
  for (const type of new Set(feeds.map((feed) => feed.type))) {
    const count = feeds.filter((feed) => feed.type === type).length;
    if (count > 1 && type.mustBeSingle !== undefined) {
      faults.add(['feeds'], `can have one feed of type ${type.type}: ${type.mustBeSingle}`);
    }
    if (feeds.length > 1 && type.mustBeAlone !== undefined) {
      faults.add(
        ['feeds'],
        `can have no other feed beside one of type ${type.type}: ${type.mustBeAlone}`,
      );
    }
  }
}

class Faults {
  readonly list: FeedConfigFault[] = [];
  readonly #placeOf: NonNullable<FeedConfigContext['placeOf']>;

  constructor({ placeOf = () => undefined }: Pick<FeedConfigContext, 'placeOf'>) {
    this.#placeOf = placeOf;
  }

  add(path: Path, message: string, part: 'key' | 'value' = 'value'): void {
    const place = this.#placeOf(path, part);
    this.list.push({ path: pathText(path), message, ...(place === undefined ? {} : { place }) });
  }
}

function pathText(path: Path): string {
  return path
    .map((key) => (typeof key === 'number' ? `[${key}]` : `.${key}`))
    .join('')
    .slice(1);
}

function listed(names: Iterable<string>): string {
  return [...names].join(', ');
}

/** A certificate in a PEM file. */
const certificate = /-----BEGIN CERTIFICATE-----[^-]*-----END CERTIFICATE-----/g;

/**
 * Reads a PEM file with certificates of authorities. Everything else in the file, such as a key, is ignored.
 *
 * @returns the certificates, or the rest of a sentence that begins with the field: "must be …".
 */
export function readAuthorities(
  path: string,
): { readonly pem: string } | { readonly fault: string } {
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch (cause) {
    const { code = 'unknown' } = cause as NodeJS.ErrnoException;
    return { fault: `must be a PEM file that this user may read, and ${path} is not: ${code}` };
  }
  const found = text.match(certificate) ?? [];
  if (found.length === 0) {
    return { fault: `must be a PEM file with certificates, and ${path} has none` };
  }
  for (const [index, pem] of found.entries()) {
    try {
      void new X509Certificate(pem);
    } catch {
      return {
        fault: `must be a PEM file with certificates, and certificate ${index + 1} of ${path} cannot be read`,
      };
    }
  }
  return { pem: found.join('\n') };
}
