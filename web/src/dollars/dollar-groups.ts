import type { DollarRow } from '../market/api/quote.ts';
import { percentOver } from '../market/facts/receipt-dollars.ts';

type Dollar = DollarRow['dolar'];

/** The bond whose dollars stand for the others, as those by which the service converts prices in pesos. */
const referenceBond = 'AL30';

/** The dollars in the order in which they are shown, with their names. The first six are the main ones. */
const names: Readonly<Record<Exclude<Dollar, 'canje'>, string>> = {
  oficial: 'Oficial',
  blue: 'Blue',
  mep: 'MEP',
  ccl: 'CCL',
  cripto: 'Cripto',
  tarjeta: 'Tarjeta',
  mayorista: 'Mayorista',
  a3500: 'A3500',
};

const mainCount = 6;

/** A dollar that has a card. */
export interface DollarCard {
  /** The name, which no other card has. */
  readonly name: string;
  readonly row: DollarRow;
  /** The instrument with the change and the path of the dollar. Undefined if none has them. */
  readonly ticker: string | undefined;
}

/** A name for each row, unique in a response. */
export function rowName({ dolar, base, numerador }: DollarRow): string {
  return [dolar, base, numerador ?? ''].join(' ');
}

/**
 * The cards of the dollars: one of each main kind, and the other references, whose names have their sources. What
 * the bonds and CEDEARs imply is in tables, apart from the reference bond and the median.
 */
export function dollarCards(rows: Iterable<DollarRow>): {
  readonly main: readonly DollarCard[];
  readonly others: readonly DollarCard[];
} {
  const all = [...rows];
  const kinds = Object.entries(names).map(([dolar, name]) => {
    const own = all.filter((row) => row.dolar === dolar && isReference(row));
    const [first, ...rest] = own.toSorted((a, b) => rank(a) - rank(b));
    const others = rest.filter(({ calculo }) => calculo !== 'implicito');
    return {
      first: first === undefined ? [] : [{ name, row: first, ticker: tickerOf(first) }],
      rest: others.map((row) => ({ name: `${name} ${sourceOf(row)}`, row, ticker: tickerOf(row) })),
    };
  });
  const canje = all.filter(({ dolar, base }) => dolar === 'canje' && base === referenceBond);
  return {
    main: kinds.slice(0, mainCount).flatMap(({ first }) => first),
    others: [
      ...kinds.slice(mainCount).flatMap(({ first }) => first),
      ...kinds.flatMap(({ rest }) => rest),
      ...canje.map((row) => ({ name: 'Canje', row, ticker: 'MEP-CCL' })),
    ],
  };
}

function isReference({ calculo, base }: DollarRow): boolean {
  return calculo === 'publicado' || calculo === 'mediana' || base === referenceBond;
}

/**
 * The rank of a row among those of its dollar. The row of the instrument of the dollar, such as `DOLAR MEP`, comes first,
 * because the strip shows its price, too. The service sends no such row if it derives that instrument from the reference
 * bond.
 */
function rank({ dolar, calculo, numerador }: DollarRow): number {
  if (numerador === instrumentOf(dolar)) return -1;
  return ['implicito', 'publicado', 'mediana'].indexOf(calculo);
}

function instrumentOf(dolar: Dollar): string {
  return `DOLAR ${dolar.toUpperCase()}`;
}

/** What tells a further reference of a kind from the first: `LEDE` of `DOLAR MEP LEDE`. */
function sourceOf({ calculo, base, numerador }: DollarRow): string {
  if (calculo === 'mediana') return 'CEDEARs';
  return numerador?.split(' ').slice(2).join(' ') || base;
}

function tickerOf({ dolar, calculo, numerador }: DollarRow): string | undefined {
  if (calculo === 'implicito') return instrumentOf(dolar);
  return numerador ?? undefined;
}

/** The names of the dollars that have no row at all. */
export function missingDollars(rows: Iterable<DollarRow>): readonly string[] {
  const known = new Set(Array.from(rows, ({ dolar }) => dolar));
  return Object.entries(names).flatMap(([dolar, name]) => (known.has(dolar as Dollar) ? [] : name));
}

/** What the classes of one security imply. */
export interface ImpliedDollars {
  readonly base: string;
  /** The amount traded in pesos. Undefined if it is not known. */
  readonly amount: number | undefined;
  readonly mep?: DollarRow;
  readonly ccl?: DollarRow;
  readonly canje?: DollarRow;
}

/** The implied dollars, one line for each security: bonds first, and the largest amounts in pesos first. */
export function impliedDollars(
  rows: Iterable<DollarRow>,
  {
    amountOf,
    isBond,
  }: {
    readonly amountOf: (ticker: string) => number | undefined;
    readonly isBond: (ticker: string) => boolean;
  },
): readonly ImpliedDollars[] {
  const implied = [...rows].filter(({ calculo }) => calculo === 'implicito');
  return Map.groupBy(implied, ({ base }) => base)
    .entries()
    .map(([base, own]): ImpliedDollars => ({
      base,
      amount: amountOf(base),
      ...Object.fromEntries(own.map((row) => [row.dolar, row])),
    }))
    .toArray()
    .toSorted(
      (a, b) =>
        Number(isBond(b.base)) - Number(isBond(a.base)) || (b.amount ?? 0) - (a.amount ?? 0),
    );
}

/**
 * The rows at whose orders dollars are cheapest to buy and dearest to sell. Those that may not be current are left
 * out.
 */
export function bestOrders(
  rows: Iterable<DollarRow | undefined>,
  isCurrent: (row: DollarRow) => boolean,
): { readonly toBuy: DollarRow | undefined; readonly toSell: DollarRow | undefined } {
  const known = [...rows].filter((row) => row !== undefined).filter(isCurrent);
  const [toBuy] = known
    .filter(({ venta }) => venta !== null)
    .toSorted((a, b) => (a.venta ?? 0) - (b.venta ?? 0));
  const [toSell] = known
    .filter(({ compra }) => compra !== null)
    .toSorted((a, b) => (b.compra ?? 0) - (a.compra ?? 0));
  return { toBuy, toSell };
}

/** The dollar of each CEDEAR, the dearest first, and by how many percent it is above the median. */
export function receiptDollars(
  rows: Iterable<DollarRow>,
): readonly { readonly row: DollarRow; readonly overMedian: number | undefined }[] {
  const all = [...rows];
  const median = all.find(({ calculo }) => calculo === 'mediana');
  return all
    .filter(({ calculo }) => calculo === 'cedear')
    .toSorted((a, b) => (b.ultimo ?? 0) - (a.ultimo ?? 0))
    .map((row) => ({
      row,
      overMedian: percentOver(row, median),
    }));
}
