import type { Instrument } from '../domain/instrument.ts';
import type { Universe } from '../domain/universe.ts';
import { ImportRefusal } from './import-refusal.ts';
import type { Naming } from './layouts/layout.ts';

/** The suffix that distinguishes US shares from CEDEARs and local shares of the same name. */
export const usSuffix = '_US';

/** The result of resolving a name in the universe. */
export type Resolution =
  | { readonly type: 'found'; readonly instrument: Instrument }
  | UnclearName
  | { readonly type: 'unknown'; readonly spelling: string };

/**
 * A name that may be a local or a US instrument. One of the two may be missing from the universe: a
 * universe without a CEDEAR of TSLA does not make every TSLA the US share.
 */
export interface UnclearName {
  readonly type: 'unclear';
  readonly name: string;
  readonly local: Instrument | undefined;
  readonly us: Instrument | undefined;
}

/** How names are resolved. */
export interface NameRules {
  readonly universe: Universe;
  readonly naming: Naming;
  /** The operator's suffix. Empty: names are tickers as they are. */
  readonly suffix?: string | undefined;
}

/**
 * The instrument of a name in a file. A name that includes a market is of that market: `KSA US
 * Equity` (Bloomberg), `AAPL.US` (Stooq), `GGAL.BA` (Yahoo, Buenos Aires).
 */
export function resolveName(name: string, rules: NameRules): Resolution {
  const { universe, naming, suffix } = rules;
  const [, usTicker] = /^(\S+)(?: US Equity|\.US)$/i.exec(name.trim()) ?? [];
  if (usTicker !== undefined) return find(universe, withSuffix(usTicker, usSuffix));
  const [, localTicker] = /^(\S+)(?: AR Equity|\.BA)$/i.exec(name.trim()) ?? [];
  if (localTicker !== undefined) return find(universe, localTicker);
  if (naming === 'canonical') return find(universe, name);
  if (suffix !== undefined) return find(universe, withSuffix(name, suffix));
  if (naming === 'us') return find(universe, withSuffix(name, usSuffix));
  return resolveBare(name, rules);
}

/**
 * The instrument's name in a file name: without folders, extensions and the text that Rava adds.
 */
export function nameOfFile(path: string): string {
  return path
    .replace(/^.*\//s, '')
    .replace(/(?:\.(?:csv|txt|tsv|json|ndjson|jsonl|gz))+$/i, '')
    .replace(/\s*-\s*cotizaciones\s+hist[oó]ricas.*$/iu, '')
    .trim();
}

/** The refusal of an ambiguous name, with the options that resolve it. */
export function unclearName(unclear: UnclearName, canBeTicker: boolean): ImportRefusal {
  const { name, local, us } = unclear;
  const tickers = [local, us].flatMap((one) => one?.ticker ?? []);
  const isOne = tickers.length === 1;
  const ticker = isOne ? `--ticker ${tickers.map(shell).join(' ')}` : '--ticker';
  const options = `${canBeTicker ? `${ticker}, or for all files with ` : ''}${suffixesFor([unclear])}`;
  const settle = isOne
    ? `if it is ${tickers.join(' or ')}, use ${options}`
    : `choose with ${options}`;
  return new ImportRefusal('ambiguous', `${name} ${describeUnclear(unclear)}; ${settle}`);
}

/** `may be KO (cedear in ARS, BYMA) or KO_US (share in USD, NYSE)` */
export function describeUnclear({ local, us }: UnclearName): string {
  const known = [local, us].flatMap((one) => (one === undefined ? [] : [describe(one)]));
  const missing = local === undefined ? 'a local instrument' : 'a US share';
  const all = known.length > 1 ? known : [...known, `${missing} that is not in the universe`];
  return `may be ${all.join(' or ')}`;
}

/** The --suffix options with which at least one of these names has an instrument. */
export function suffixesFor(names: readonly UnclearName[]): string {
  const suffixes = [
    ...(names.some(({ local }) => local !== undefined) ? ['--suffix ""'] : []),
    ...(names.some(({ us }) => us !== undefined) ? [`--suffix ${usSuffix}`] : []),
  ];
  return suffixes.join(' or ');
}

/** Adds a suffix to a name that does not end with it. */
export function withSuffix(name: string, suffix: string): string {
  const text = name.trim();
  return text.toUpperCase().endsWith(suffix.toUpperCase()) ? text : `${text}${suffix}`;
}

/** A ticker quoted for a shell. */
function shell(ticker: string): string {
  return /^[\w.=+-]+$/.test(ticker) ? ticker : `"${ticker}"`;
}

function describe({ ticker, kind, currency, market }: Instrument): string {
  return `${ticker} (${kind} in ${currency}, ${market})`;
}

/** Resolves a name without a market. A CEDEAR has the same name as its US share. */
function resolveBare(name: string, { universe, naming }: NameRules): Resolution {
  const local = universe.find(name);
  const us = universe.find(withSuffix(name, usSuffix));
  const isCedear = local?.kind === 'cedear';
  if (local !== us && (isCedear || (local === undefined ? naming !== 'yahoo' : us !== undefined))) {
    return { type: 'unclear', name: name.trim(), local, us };
  }
  const instrument = local ?? us ?? cryptoOf(name, universe);
  return instrument === undefined
    ? { type: 'unknown', spelling: name }
    : { type: 'found', instrument };
}

/** The cryptocurrency of a pair such as `BTCUSD` or `BTC/USD`, if it is quoted in that currency. */
function cryptoOf(pair: string, universe: Universe): Instrument | undefined {
  const [, base = '', currency = ''] = /^([A-Z0-9]+?)[-/_]?(USD|ARS)$/i.exec(pair.trim()) ?? [];
  const instrument = universe.find(base);
  const fits = instrument?.kind === 'crypto' && instrument.currency === currency.toUpperCase();
  return fits ? instrument : undefined;
}

function find(universe: Universe, spelling: string): Resolution {
  const instrument = universe.find(spelling);
  return instrument === undefined
    ? { type: 'unknown', spelling: spelling.trim() }
    : { type: 'found', instrument };
}
