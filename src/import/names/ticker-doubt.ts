import type { Instrument } from '../../domain/instruments/instrument.ts';
import { canMature } from '../../domain/instruments/maturity.ts';
import { foldTicker } from '../../domain/instruments/ticker.ts';
import { noPricesIn } from '../layouts/headings.ts';
import { ImportRefusal, operatorKnows } from '../refusals/import-refusal.ts';
import {
  describe,
  isUnclear,
  resolveName,
  usSuffix,
  withSuffix,
  type NameRules,
  type Resolution,
} from './naming.ts';

/** Where a name is. The heading of a column of cells says that they are tickers. */
type NamePlace = 'heading' | 'cell' | 'file';

/**
 * Minimum number of instruments of the same kind in a table for a name that usually means something else, such as
 * `CCL`, to be read as a ticker.
 */
const otherUsesMin = 10;

/** Minimum number of other instruments in a table for a single letter or a name in lower case to be read as a ticker. */
const otherFormMin = 2;

/** Minimum number of tickers in a table for a name to be read as one, however many other words the table has. */
const tickersMin = 5;

/** Maximum number of names in a message. */
const shownMax = 3;

/**
 * The names of a table, which decide together whether each of them is a ticker: `CCL` beside `MEP`, `v`, or
 * `CORN` beside `GOLD` may be a word. A name of more than four letters, or one with a digit, a space or a
 * market, is no word by chance. A shorter one is a ticker if the names beside it agree:
 *
 * - a name that is also the second word of another instrument (`DOLAR CCL`), or the heading of
 *   a share that means no prices (`TEM`, a monthly rate), needs many of its kind;
 * - a single letter, and a heading in lower case, need some of its kind;
 * - a CEDEAR, whose name is foreign, needs a share or a CEDEAR if there is a bond;
 * - headings that no instrument has may not outnumber the tickers: those of its kind, if one of the former
 *   cannot be a ticker that the universe lacks (`MEP`, `dolar`).
 *
 * A source whose names are exact, such as Rava or Yahoo, is not asked.
 */
export class TableNames {
  readonly #place: NamePlace;
  readonly #rules: NameRules;
  readonly #known: ReadonlyMap<string, readonly Instrument[]>;

  constructor(names: readonly string[], place: NamePlace, rules: NameRules) {
    this.#place = place;
    this.#rules = rules;
    const distinct = [...new Set(names.map(foldTicker))].filter((name) => name !== '');
    this.#known = new Map(distinct.map((name) => [name, candidates(name, rules)]));
  }

  /** Whether a name that has an instrument may be a word. */
  mayBeWord(name: string, found: Resolution): boolean {
    const readings = isUnclear(found) ? [found.local, found.us] : [found];
    return readings.some((one) => one !== undefined && this.isDoubtful(name, one));
  }

  /** Whether a name may be a word, and not the ticker of this instrument. */
  isDoubtful(name: string, instrument: Instrument): boolean {
    const { naming, suffix } = this.#rules;
    const place = this.#place;
    const text = foldTicker(name);
    if (naming !== 'bare' && naming !== 'ticker') return false;
    if (!/^\p{L}{1,4}$/u.test(text)) return false;
    const isOfKind = (one: Instrument) => classOf(one) === classOf(instrument);
    const isLetter = text.length === 1;
    const isUpper = text === text.toUpperCase();
    const isNoPrice = place === 'heading' && isEquity(instrument) && noPricesIn(text) !== undefined;
    const hasOtherUse = isNoPrice || otherUses(text, this.#rules).length > 0;
    if (place === 'file') {
      return (
        (hasOtherUse && suffix !== usSuffix) || (isLetter && (!isUpper || suffix === undefined))
      );
    }
    if (hasOtherUse) return this.#count(text, isOfKind) < otherUsesMin;
    if (place === 'cell' && (isUpper || !isLetter)) return false;
    const words = this.#words();
    const ofKind = this.#count(text, isOfKind);
    if (!isUpper && ofKind < (isLetter || words.length > 0 ? otherFormMin : 1)) return true;
    if (place === 'cell') return false;
    if (isLetter && ofKind === 0) return true;
    if (words.length === 0) {
      const isForeign = instrument.kind === 'cedear' && this.#count(text, isDebt) > 0;
      return isForeign && this.#count(text, isEquity) === 0;
    }
    const areTickers = words.every((one) => mayBeTicker(one, this.#rules));
    const isPeer = (one: Instrument) =>
      isUs(instrument)
        ? isUs(one) || one.kind === 'cedear'
        : isLocalEquity(one) || (instrument.kind === 'share' && isDebt(one));
    const peers = this.#count(text, areTickers && isEquity(instrument) ? isPeer : isOfKind);
    return peers + 1 < Math.max(2, Math.min(words.length, tickersMin));
  }

  /**
   * The refusal of names that may be words.
   *
   * @param columns the headings that the operator can choose from; none if the file has one instrument.
   */
  refusal(names: readonly string[], columns: readonly string[] = []): ImportRefusal {
    const words = this.#place === 'heading' ? this.#words().slice(0, shownMax) : [];
    const beside = words.length === 0 ? '' : `, like ${words.join(', ')} beside it`;
    const doubts = names.slice(0, shownMax).map((name) => {
      const text = foldTicker(name);
      const known = new Set([...candidates(text, this.#rules), ...otherUses(text, this.#rules)]);
      const subject = this.#place === 'heading' ? `the column ${text}` : text;
      const readings = [...known].slice(0, shownMax).map(describe).join(', ');
      return `${subject} may be ${readings}, or no ticker${beside}`;
    });
    const more =
      names.length > shownMax ? [`${names.length - shownMax} more columns likewise`] : [];
    return new ImportRefusal(
      'ambiguous',
      [...doubts, ...more].join('; '),
      columns.length > 0
        ? {
            kind: 'import-column',
            suggestions: columns.map((column) => ({ column, ticker: operatorKnows })),
          }
        : { kind: 'name-instrument', suggestions: [{ ticker: operatorKnows }] },
    );
  }

  /** The number of other names of more than a letter that such an instrument has. */
  #count(name: string, isAlike: (one: Instrument) => boolean): number {
    let count = 0;
    for (const [other, known] of this.#known) {
      if (other !== name && other.length > 1 && known.some(isAlike)) count += 1;
    }
    return count;
  }

  /** The names that no instrument has. */
  #words(): readonly string[] {
    return [...this.#known].flatMap(([name, known]) => (known.length === 0 ? [name] : []));
  }
}

/** The instruments that have a name as their ticker, on any market. */
function candidates(name: string, rules: NameRules): readonly Instrument[] {
  const { universe } = rules;
  const found = resolveName(name, rules);
  const exact = isUnclear(found) ? undefined : found;
  const all = [exact, universe.find(name), universe.find(withSuffix(name, usSuffix))];
  return [...new Set(all.flatMap((one) => one ?? []))];
}

/** The instruments whose tickers have a name as their second word: `DOLAR CCL` for the CEDEAR CCL. */
function otherUses(text: string, { universe }: NameRules): readonly Instrument[] {
  return universe.instruments.filter(({ ticker }) => {
    const [, second, ...more] = ticker.split(' ');
    return second === text.toUpperCase() && more.length === 0;
  });
}

/** Whether a name that no instrument has may be a ticker that the universe lacks. */
function mayBeTicker(name: string, rules: NameRules): boolean {
  return /^[A-Z0-9]{2,6}$/.test(name) && otherUses(name, rules).length === 0;
}

function classOf({ ticker, kind }: Instrument): string {
  if (ticker.endsWith(usSuffix)) return usSuffix;
  return canMature(kind) ? 'debt' : kind;
}

function isDebt({ kind }: Instrument): boolean {
  return canMature(kind);
}

function isUs({ ticker }: Instrument): boolean {
  return ticker.endsWith(usSuffix);
}

function isEquity(one: Instrument): boolean {
  return isLocalEquity(one) || isUs(one);
}

function isLocalEquity(one: Instrument): boolean {
  return !isUs(one) && (one.kind === 'share' || one.kind === 'cedear');
}
