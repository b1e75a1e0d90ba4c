import { isDate, isDateOrEpoch } from '../cells/date-format.ts';
import type { CellRow } from '../cells/table.ts';
import type { TableHead } from './layout.ts';

/** The meaning of a heading. */
export type Meaning =
  | 'date'
  | 'ticker'
  | 'close'
  | 'price'
  | 'adjusted'
  | 'side'
  | 'open'
  | 'high'
  | 'low'
  | 'volume';

/** The words of each meaning. An underscore in a heading stands for a space. */
const wordsOf: Readonly<Record<Meaning, string>> = {
  date: 'date, dates, fecha, fechas, day, days, dia, datetime, open time, time, trade date, fecha cotizacion, indice tiempo, observation date, snapped at, timestamp, data, fechahora, fecha hora',
  ticker: 'especie, ticker, symbol, simbolo, instrumento, instrument',
  close:
    'close, cierre, c, closing price, close price, precio de cierre, close/last, px last, fechamento',
  price: 'price, precio, last, ultimo, value, valor, settle, ultimoprecio, ultimo precio, preco',
  adjusted: 'adj close, adj. close, adjclose, adjusted close, cierre ajustado',
  side: 'compra, venta, bid, ask, buy, sell, comprador, vendedor',
  open: 'open, apertura, o, opening price, open price, abertura',
  high: 'high, maximo, max, h, maximum price, high price, maxima',
  low: 'low, minimo, min, l, minimum price, minimal price, low price, minima',
  volume:
    'volume, volumen, vol, vol., v, volumen nominal, cantidad nominal, shares, volumefrom, volumennominal, cantidad, quantidade',
};
const meanings = new Map(
  Object.entries(wordsOf).flatMap(([meaning, words]) =>
    words.split(', ').map((one): [string, Meaning] => [one, meaning as Meaning]),
  ),
);
const marks = /[\u0300-\u036f]/g;

/**
 * A heading in lower case, without accents, outer white space, and the `<>` of MetaTrader and
 * Stooq.
 */
export function foldHeading(text: string): string {
  const plain = text.normalize('NFD').replaceAll(marks, '').trim().toLowerCase();
  return plain.replace(/^<(.*)>$/, '$1');
}

/**
 * The meanings of headings in English, Spanish or Portuguese; undefined for unknown ones. `o`, `h`, `l` and `c`
 * mean prices only when all four occur, and then `t` means the time. Each of them alone is a ticker, which a
 * matrix may have.
 */
export function meaningsOf({ folded }: Pick<Header, 'folded'>): readonly (Meaning | undefined)[] {
  const isTerse = ['o', 'h', 'l', 'c'].every((letter) => folded.includes(letter));
  return folded.map((name) => {
    if (name.length > 1) return meaningOf(name);
    if (!isTerse) return undefined;
    return name === 't' ? 'date' : meaningOf(name);
  });
}

/** The meaning of a folded heading in English, Spanish or Portuguese; undefined for an unknown one. */
export function meaningOf(folded: string): Meaning | undefined {
  return meanings.get(folded.replaceAll('_', ' '));
}

/**
 * Whether the columns are the values of one instrument: there are an open, a high and a low. One of
 * these words alone may be a ticker.
 */
export function isOfOneInstrument(found: readonly (Meaning | undefined)[]): boolean {
  return found.includes('open') && found.includes('high') && found.includes('low');
}

/** A header with the number of rows up to it. Comments may come before it. */
export interface Header {
  readonly skipRows: number;
  readonly cells: CellRow;
  /** The headings in the form in which they are compared: see {@link foldHeading}. */
  readonly folded: CellRow;
}

/** Maximum number of rows in which a header is searched. */
export const headerRowsMax = 10;

/** Whether a cell is a date in any format. */
export function looksLikeDate(cell: string | undefined): boolean {
  return cell !== undefined && isDate(cell);
}

/**
 * The header of a table: the first row that has a known word for a date, or an empty first cell
 * above a date (an index without a name). With `dates`, the heading of the dates that the operator
 * named, it is the first row that has this heading. Undefined when there is none.
 */
export function findHeader(head: Pick<TableHead, 'rows'>, dates?: string): Header | undefined {
  const named = dates === undefined ? undefined : foldHeading(dates);
  for (const [at, cells] of head.rows.slice(0, headerRowsMax).entries()) {
    const folded = cells.map(foldHeading);
    const isHeader =
      named === undefined
        ? isKnownHeader(cells, folded, head.rows[at + 1])
        : folded.includes(named);
    if (isHeader) return { skipRows: at + 1, cells, folded };
  }
  return undefined;
}

function isKnownHeader(cells: CellRow, folded: CellRow, below: CellRow | undefined): boolean {
  return isIndexed(cells, below) || meaningsOf({ folded }).includes('date');
}

/** Whether the first column has no heading and has dates: the index of a data frame. */
export function isIndexed(cells: CellRow, below: CellRow | undefined): boolean {
  return cells.length > 1 && cells[0]?.trim() === '' && isDateOrEpoch(below?.[0] ?? '');
}

/** The index of a heading that the operator named; undefined without one. */
export function namedIn({ folded }: Header, name: string | undefined): number | undefined {
  const index = name === undefined ? -1 : folded.indexOf(foldHeading(name));
  return index < 0 ? undefined : index;
}

/** Whether a header has all of these columns. */
export function hasColumns(header: Header, names: readonly string[]): boolean {
  return names.every((name) => header.folded.includes(name));
}

/** Whether a table is that of `Ticker.history()` of yfinance, with dividends subtracted from its closes. */
export function isAdjustedHistory({ folded }: Header): boolean {
  const names = new Set(folded.map((name) => name.replaceAll('_', ' ')));
  const isHistory = names.has('dividends') && names.has('stock splits');
  return isHistory && !meaningsOf({ folded }).includes('adjusted');
}

/** What values are by their words in English, Spanish and Portuguese, without accents, if they are no prices. */
const noPrices: readonly {
  readonly words: RegExp;
  readonly what: string;
  /** Whether an instrument of a rate or a spread may have such values. */
  readonly isRate?: true;
}[] = [
  {
    words: word`(?:log )?(?:returns?|ret)|retornos?|rendim(?:i?ento)s?|rentabilidad(?:e|es)?|variac(?:ion|iones|ao|oes)|variation|var|changes?|pct|percent(?:age)?|porcentajes?|chg|drawdowns?`,
    what: 'returns or changes',
  },
  {
    words: word`tir|ytm|ytw|irr|yields?|tna|tea|tem|tasas?(?! de cambio)|cup(?:on|ones|om|ons)|coupons?`,
    what: 'yields or rates',
    isRate: true,
  },
  { words: word`paridad(?:e|es)?|parit(?:y|ies)`, what: 'parities' },
  {
    words: word`durations?|durac(?:ion|iones|ao|oes)|dur|macaulay|convexi(?:ty|dad|dade)`,
    what: 'durations',
  },
  {
    words: word`ratios?|spreads?|brechas?|z ?score|volatili(?:ty|dad|dade)|correlac(?:ion|ao)|correlation`,
    what: 'ratios or differences',
    isRate: true,
  },
  {
    words: word`volum(?:e|es|en|enes)|turnover|open interest|interes abierto|market ?cap(?:itali[sz]ation)?|capitalizacion`,
    what: 'volumes or amounts',
  },
  {
    words: word`rsi|macd|[se]ma|(?:moving|rolling) (?:average|mean)s?|(?:media|promedio)s? movil(?:es)?`,
    what: 'indicators',
  },
  {
    words: word`valor(?:es)? (?:residual|tecnico)(?:es)?|(?:residual|technical) values?|interes(?:es)? corridos?|accrued|amorti[sz]ations?|amortizac(?:ion|iones)`,
    what: 'terms of a bond',
  },
];

function word({ raw: [choices = ''] }: TemplateStringsArray): RegExp {
  return new RegExp(`(?:^|[^a-z])(?:${choices})(?:$|[^a-z])`);
}

/** What a text says that values are, if they are no prices. */
export function noPricesIn(text: string) {
  const folded = foldHeading(text).replaceAll('_', ' ');
  return noPrices.find(({ words }) => words.test(folded));
}
