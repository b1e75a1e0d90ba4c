import type { DollarRow, InstrumentInfo } from '../market/api/quote.ts';

type Dollar = DollarRow['dolar'];

/** The bond whose dollars stand for the others, as those by which the service converts prices in pesos. */
export const referenceBond = 'AL30';

/** The dollars in the order in which they are shown, with their names. */
const names: Readonly<Record<Exclude<Dollar, 'canje'>, string>> = {
  oficial: 'Oficial',
  mayorista: 'Mayorista',
  a3500: 'A3500',
  tarjeta: 'Tarjeta',
  blue: 'Blue',
  mep: 'MEP',
  ccl: 'CCL',
  cripto: 'Cripto',
};

/** A dollar that is shown by itself. */
export interface MainDollar {
  readonly name: string;
  readonly row: DollarRow;
}

/** A name for each row, unique in a response. */
export function rowName({ dolar, base, numerador }: DollarRow): string {
  return [dolar, base, numerador ?? ''].join(' ');
}

/**
 * The dollars that are published, and those of the bond and of the median of the CEDEARs that stand for all that
 * are implied, in their order.
 */
export function mainDollars(rows: Iterable<DollarRow>): readonly MainDollar[] {
  const all = [...rows];
  return Object.entries(names).flatMap(([dolar, name]) =>
    all
      .filter((row) => row.dolar === dolar && isMain(row))
      .toSorted((a, b) => rank(a) - rank(b))
      .map((row) => ({ name, row })),
  );
}

function isMain({ calculo, base }: DollarRow): boolean {
  return calculo === 'publicado' || calculo === 'mediana' || base === referenceBond;
}

function rank({ calculo }: DollarRow): number {
  return ['implicito', 'publicado', 'mediana'].indexOf(calculo);
}

/** The names of the dollars that have no row at all. */
export function missingDollars(rows: Iterable<DollarRow>): readonly string[] {
  const known = new Set(Array.from(rows, ({ dolar }) => dolar));
  return Object.entries(names).flatMap(([dolar, name]) => (known.has(dolar as Dollar) ? [] : name));
}

/** What the classes of one security imply. */
export interface ImpliedDollars {
  readonly base: string;
  readonly mep?: DollarRow;
  readonly ccl?: DollarRow;
  readonly canje?: DollarRow;
}

/** The securities of one kind whose classes imply dollars. */
export interface ImpliedGroup {
  readonly title: string;
  readonly securities: readonly ImpliedDollars[];
}

type Kind = InstrumentInfo['tipo'];

/** The kinds of securities with classes in dollars, in the order in which they are shown. */
const kinds: readonly (readonly [title: string, kinds: readonly (Kind | undefined)[]])[] = [
  ['Bonos y letras', ['bono', 'letra']],
  ['Obligaciones negociables', ['obligacion-negociable']],
  ['Acciones', ['accion']],
  ['CEDEARs', ['cedear', 'etf']],
];

/** The implied dollars, one line for each security, by kind. The order within a kind is that of the service. */
export function impliedGroups(
  rows: Iterable<DollarRow>,
  kindOf: (ticker: string) => Kind | undefined,
): readonly ImpliedGroup[] {
  const implied = [...rows].filter(({ calculo }) => calculo === 'implicito');
  const securities = Map.groupBy(implied, ({ base }) => base)
    .entries()
    .map(([base, own]): ImpliedDollars => ({
      base,
      ...Object.fromEntries(own.map((row) => [row.dolar, row])),
    }))
    .toArray();
  const others = (kind: Kind | undefined) => !kinds.some(([, known]) => known.includes(kind));
  return [
    ...kinds.map(([title, known]) => ({
      title,
      securities: securities.filter(({ base }) => known.includes(kindOf(base))),
    })),
    { title: 'Otras especies', securities: securities.filter(({ base }) => others(kindOf(base))) },
  ].filter((group) => group.securities.length > 0);
}

/** By how many percent a dollar is above the median. Undefined without one of them. */
function overMedian(row: DollarRow | undefined, median: DollarRow | undefined): number | undefined {
  const [value, middle] = [row?.ultimo ?? undefined, median?.ultimo ?? undefined];
  return value === undefined || middle === undefined ? undefined : (value / middle - 1) * 100;
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
      overMedian: overMedian(row, median),
    }));
}
