import type { Instrument } from '../domain/instrument.ts';
import type { Universe } from '../domain/universe.ts';
import { ImportRefusal } from './import-refusal.ts';
import type { Naming } from './layouts/layout.ts';

/** What tells US shares from the CEDEARs and local shares of the same name. */
const usSuffix = '_US';

/** What a name stands for in the universe. */
export type Resolution =
  | { readonly type: 'found'; readonly instrument: Instrument }
  | { readonly type: 'both'; readonly local: Instrument; readonly us: Instrument }
  | { readonly type: 'unknown'; readonly spelling: string };

/** How names are to be taken. */
export interface NameRules {
  readonly universe: Universe;
  readonly naming: Naming;
  /** What the operator says names lack; the empty text says that they stand as they are. */
  readonly suffix?: string;
}

/**
 * The instrument that a name of a file stands for. A name with a market of its own is of that
 * market: `KSA US Equity` (Bloomberg), `GGAL.BA` (Yahoo, Buenos Aires).
 */
export function resolveName(name: string, rules: NameRules): Resolution {
  const { universe, naming, suffix } = rules;
  const bloomberg = /^(\S+) (US|AR) Equity$/i.exec(name.trim());
  if (bloomberg !== null) {
    const [, ticker = '', country = ''] = bloomberg;
    return find(universe, country.toUpperCase() === 'US' ? withSuffix(ticker, usSuffix) : ticker);
  }
  const buenosAires = /^(.+)\.BA$/i.exec(name.trim());
  if (buenosAires !== null) return find(universe, buenosAires[1] ?? '');
  if (naming === 'canonical') return find(universe, name);
  if (suffix !== undefined) return find(universe, withSuffix(name, suffix));
  if (naming === 'us') return find(universe, withSuffix(name, usSuffix));
  return resolveBare(name, universe);
}

/** The instrument of a file's name: without folders, extensions, and what Rava adds to it. */
export function nameOfFile(path: string): string {
  const base = path.split('/').at(-1) ?? '';
  return base
    .replace(/(?:\.(?:csv|txt|tsv|json|gz))+$/i, '')
    .replace(/\s*-\s*cotizaciones\s+hist[oó]ricas.*$/iu, '')
    .trim();
}

/** What the columns of a matrix stand for, and those that the universe does not know. */
export interface HeadingResolution {
  readonly known: ReadonlyMap<string, Instrument>;
  readonly unknown: readonly string[];
}

/**
 * What the headings of one matrix stand for. A matrix is of one market: where a heading stands for
 * two instruments, those that stand for one tell which, as long as they all tell the same.
 *
 * @throws {ImportRefusal} `ambiguous` when they do not.
 */
export function resolveHeadings(headings: readonly string[], rules: NameRules): HeadingResolution {
  const known = new Map<string, Instrument>();
  const unknown: string[] = [];
  const both: { heading: string; local: Instrument; us: Instrument }[] = [];
  for (const heading of headings) {
    const resolution = resolveName(heading, rules);
    if (resolution.type === 'found') known.set(heading, resolution.instrument);
    else if (resolution.type === 'both') both.push({ heading, ...resolution });
    else unknown.push(heading);
  }
  refuseWrongSuffix(unknown, rules);
  const [first] = both;
  if (first === undefined) return { known, unknown };
  const clear = [...known.values()].map((one) => one.ticker.endsWith(usSuffix));
  const isUs = clear[0];
  if (isUs === undefined || clear.some((one) => one !== isUs)) throw bothFit(first);
  for (const { heading, local, us } of both) known.set(heading, isUs ? us : local);
  return { known, unknown };
}

/** A suffix that makes strangers of headings that are tickers as they stand is not this file's. */
function refuseWrongSuffix(unknown: readonly string[], { universe, suffix }: NameRules): void {
  const wrong = unknown.find((heading) => universe.find(heading) !== undefined);
  if (suffix === undefined || wrong === undefined) return;
  throw new ImportRefusal(
    'option-mismatch',
    `the column ${wrong} is a ticker without ${suffix} and none with it`,
  );
}

/** The refusal of a name that stands for two instruments. */
export function bothFit({ local, us }: { local: Instrument; us: Instrument }): ImportRefusal {
  return new ImportRefusal(
    'ambiguous',
    `may be ${described(local)} or ${described(us)}; say which with --ticker, or for all files ` +
      `with --suffix "" or --suffix ${usSuffix}`,
  );
}

function described({ ticker, kind, currency, market }: Instrument): string {
  return `${ticker} (${kind} in ${currency}, ${market})`;
}

function resolveBare(name: string, universe: Universe): Resolution {
  const local = universe.find(name);
  const us = universe.find(withSuffix(name, usSuffix));
  if (local !== undefined && us !== undefined && local !== us) return { type: 'both', local, us };
  const instrument = local ?? us ?? cryptoOf(name, universe);
  return instrument === undefined
    ? { type: 'unknown', spelling: name }
    : { type: 'found', instrument };
}

/** The cryptocurrency of a pair such as `BTCUSD` or `BTC/USD`, when it is the currency it is quoted in. */
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

function withSuffix(name: string, suffix: string): string {
  const text = name.trim();
  return text.toUpperCase().endsWith(suffix.toUpperCase()) ? text : `${text}${suffix}`;
}
