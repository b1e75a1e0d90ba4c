import type { CorporateActions } from '../../domain/history/corporate-actions.ts';
import type { Instrument } from '../../domain/instruments/instrument.ts';
import { tickerKey, type TickerKey } from '../../domain/instruments/ticker.ts';
import type { Universe } from '../../domain/instruments/universe.ts';
import { yahooSymbolOf } from '../../feeds/shapes/yahoo-symbols.ts';
import { nameOfExchange } from '../files/file-name.ts';
import type { Naming } from '../layouts/layout.ts';
import {
  ImportRefusal,
  operatorKnows,
  type Advice,
  type Suggestion,
} from '../refusals/import-refusal.ts';

/** The suffix that distinguishes US shares from CEDEARs and local shares of the same name. */
export const usSuffix = '_US';

/** What a name means: an instrument, one of several if it is ambiguous, or undefined if it is unknown. */
export type Resolution = Instrument | UnclearName | undefined;

export function isUnclear(resolution: Resolution): resolution is UnclearName {
  return resolution !== undefined && 'local' in resolution;
}

/**
 * A name that may be a local or a US instrument. One of the two may be missing from the universe: a
 * universe without a CEDEAR of TSLA does not make every TSLA the US share.
 */
export interface UnclearName {
  readonly name: string;
  readonly local: Instrument | undefined;
  readonly us: Instrument | undefined;
}

/** The other meaning that the ticker of an instrument may have, if there is one. */
export type OtherMeaning = (instrument: Instrument) => UnclearName | undefined;

/** How names are resolved. */
export interface NameRules {
  readonly universe: KnownNames;
  readonly naming: Naming;
  /** The operator's suffix. Empty: names are tickers as they are. */
  readonly suffix?: string | undefined;
}

/**
 * The instrument of a name in a file. A name that includes a market is of that market: `KSA US
 * Equity` (Bloomberg), `AAPL.US` (Stooq), `GGAL.BA` (Yahoo, Buenos Aires), `BCBA:GGAL` (TradingView).
 */
export function resolveName(written: string, rules: NameRules): Resolution {
  const { universe, naming, suffix } = rules;
  const name = nameOfExchange(written) ?? written;
  const [, usTicker] = /^(\S+)(?: US Equity|\.US)$/i.exec(name.trim()) ?? [];
  if (usTicker !== undefined) return universe.find(withSuffix(usTicker, usSuffix));
  const [, localTicker] = /^(\S+)(?: AR Equity|\.BA)$/i.exec(name.trim()) ?? [];
  if (localTicker !== undefined) return universe.find(localTicker);
  if (naming === 'canonical') return universe.find(name);
  if (naming === 'yahoo-symbol') return resolveYahoo(name.trim().toUpperCase(), universe);
  if (suffix !== undefined) return universe.find(withSuffix(name, suffix));
  if (naming === 'us') return universe.find(withSuffix(name, usSuffix));
  return resolveBare(name, rules);
}

/**
 * The refusal of an ambiguous name. `canBeTicker`: the name is that of the whole file. `because`: what of the
 * file makes it ambiguous, from the comma on.
 */
export function unclearName(
  unclear: UnclearName,
  canBeTicker: boolean,
  because = '',
): ImportRefusal {
  const { name, local, us } = unclear;
  const tickers = [local, us].flatMap((one) => one?.ticker ?? []);
  const isOne = tickers.length === 1;
  return new ImportRefusal('ambiguous', `${name} ${describeUnclear(unclear)}${because}`, {
    kind: isOne ? 'confirm-instrument' : 'choose-instrument',
    suggestions: [
      ...(canBeTicker ? tickers.map((ticker) => ({ ticker })) : []),
      ...suffixesFor([unclear]),
    ],
  });
}

/**
 * What the ticker of an instrument may mean in a file of somebody else: the instrument, or the US share of
 * the same name. Undefined for a ticker that has one meaning.
 */
export function otherMeaningOf(local: Instrument, universe: KnownNames): UnclearName | undefined {
  const us = universe.find(withSuffix(local.ticker, usSuffix));
  if (us === local || (us === undefined && local.kind !== 'cedear')) return undefined;
  return { name: local.ticker, local, us };
}

/** `may be KO (cedear in ARS, BYMA) or KO_US (share in USD, NYSE)` */
export function describeUnclear({ local, us }: UnclearName): string {
  const known = [local, us].flatMap((one) => (one === undefined ? [] : [describe(one)]));
  const missing = local === undefined ? 'a local instrument' : 'a US share';
  const all = known.length > 1 ? known : [...known, `${missing} that is not in the universe`];
  return `may be ${all.join(' or ')}`;
}

/** The suffixes with which at least one of these names has an instrument. */
export function suffixesFor(names: readonly UnclearName[]): readonly Suggestion[] {
  return [
    ...(names.some(({ local }) => local !== undefined) ? [{ suffix: '' }] : []),
    ...(names.some(({ us }) => us !== undefined) ? [{ suffix: usSuffix }] : []),
  ];
}

/** Adds a suffix to a name that does not end with it. */
export function withSuffix(name: string, suffix: string): string {
  const text = name.trim();
  return text.toUpperCase().endsWith(suffix.toUpperCase()) ? text : `${text}${suffix}`;
}

/** `KO (cedear in ARS, BYMA)` */
export function describe({ ticker, kind, currency, market }: Instrument): string {
  return `${ticker} (${kind} in ${currency}, ${market})`;
}

/** Resolves a name without a market. A CEDEAR has the same name as its US share. */
function resolveBare(name: string, { universe, naming }: NameRules): Resolution {
  const local = universe.find(name);
  if (naming === 'ticker' && local !== undefined) return local;
  const us = universe.find(withSuffix(name, usSuffix));
  const isCedear = local?.kind === 'cedear';
  if (local !== us && (isCedear || (local === undefined ? naming !== 'yahoo' : us !== undefined))) {
    return { name: name.trim(), local, us };
  }
  return local ?? us ?? cryptoOf(name, universe);
}

/**
 * A symbol of Yahoo Finance is exact: `AAPL` is the US share, `GGAL.BA` and `^MERV` are local, and
 * `BTC-USD` is a cryptocurrency.
 */
function resolveYahoo(symbol: string, universe: KnownNames): Instrument | undefined {
  return (
    universe.instruments.find((one) => yahooSymbolOf(one)?.symbol === symbol) ??
    universe.find(withSuffix(symbol.replaceAll('-', '.'), usSuffix)) ??
    cryptoOf(symbol, universe)
  );
}

/**
 * The cryptocurrency of a pair such as `BTCUSD` or `BTC/USD`, if it is quoted in that currency. USDT is
 * taken for the dollar.
 */
function cryptoOf(pair: string, universe: KnownNames): Instrument | undefined {
  const [, base = '', quote = ''] = /^([A-Z0-9]+?)[-/_]?(USDT?|ARS)$/i.exec(pair.trim()) ?? [];
  const currency = quote.toUpperCase().replace('USDT', 'USD');
  const candidates = [universe.find(base), universe.find(`${base}/${currency}`)];
  return candidates.find((one) => one?.kind === 'crypto' && one.currency === currency);
}

/** The instruments that a file may name. */
export type KnownNames = Pick<Universe, 'find' | 'instruments'>;

/**
 * The universe with the old tickers of its instruments, from the recorded changes of the ticker. An old
 * ticker has the market and the kind of the instrument that continues it. Its closes are stored under the
 * old ticker, as those of its days.
 */
export function withOldTickers(universe: Universe, actions: CorporateActions): KnownNames {
  const old = new Map<TickerKey, Instrument>();
  for (const ticker of actions.tickers) {
    if (universe.find(ticker) !== undefined) continue;
    const later = actions.laterTickers(ticker).flatMap((one) => universe.find(one) ?? []);
    const [instrument] = later;
    if (instrument !== undefined) old.set(tickerKey(ticker), { ...instrument, ticker });
  }
  return {
    instruments: universe.instruments,
    find: (spelling) => universe.find(spelling) ?? old.get(tickerKey(spelling)),
  };
}

/** Maximum number of names in a refusal. */
const namesShownMax = 5;

/** Maximum number of columns of a matrix that are tried. */
const columnsTriedMax = 20;

/**
 * The refusal of a table none of whose instruments is in the universe. It names only options that
 * help with this table.
 *
 * @param areHeadings whether the names are the headings of a matrix.
 */
export function unknownTickers(
  names: readonly string[],
  areHeadings: boolean,
  rules: NameRules,
): ImportRefusal {
  const shown = names.slice(0, namesShownMax).join(', ');
  const more = names.length > namesShownMax ? ', …' : '';
  const advice = adviceFor(names, areHeadings, rules);
  return new ImportRefusal('unknown-ticker', `unknown ticker ${shown}${more}`, advice);
}

function adviceFor(names: readonly string[], areHeadings: boolean, rules: NameRules): Advice {
  const suffixes = helpfulSuffixes(names, rules).map((suffix) => ({ suffix }));
  const isOne = names.length === 1;
  const suggestions: readonly Suggestion[] = isOne
    ? [{ ticker: operatorKnows }, ...suffixes]
    : suffixes;
  const otherwise = 'add them to the universe, or import a file of one instrument';
  if (suggestions.length > 0) return { kind: 'name-instrument', suggestions, otherwise };
  return areHeadings
    ? {
        kind: 'import-column',
        suggestions: names
          .slice(0, columnsTriedMax)
          .map((column) => ({ column, ticker: operatorKnows })),
        otherwise,
      }
    : { kind: 'name-instrument', suggestions: [], otherwise };
}

/**
 * The suffixes, other than the given one, with which one of the names is in the universe. Prices of a US
 * exchange are in dollars, so they are not those of an instrument in another currency.
 */
function helpfulSuffixes(
  names: readonly string[],
  { universe, naming, suffix }: NameRules,
): readonly string[] {
  if (naming === 'canonical' || naming === 'yahoo-symbol') return [];
  return ['', usSuffix].filter(
    (one) =>
      one !== suffix &&
      names.some((name) => {
        const instrument = universe.find(withSuffix(name, one));
        return instrument !== undefined && (naming !== 'us' || instrument.currency === 'USD');
      }),
  );
}
