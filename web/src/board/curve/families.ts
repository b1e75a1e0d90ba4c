import type { BondFigures, InstrumentInfo } from '../../market/api/quote.ts';

/** In what the yields of families are: they are comparable within one of these. */
const yieldKinds = [
  { value: 'dolares', name: 'En dólares' },
  { value: 'real', name: 'Real', meaning: 'Por encima del CER o de la UVA' },
  { value: 'pesos', name: 'En pesos' },
] as const;

/** The choices of the families that are shown together. */
export const kindChoices = [...yieldKinds, { value: 'todas', name: 'Todas' }] as const;
export type KindChoice = (typeof kindChoices)[number]['value'];

/** A family of bonds, whose yields are comparable. */
interface FamilyTerms {
  readonly name: string;
  /** Absent if its yields are comparable with no others. */
  readonly kind?: Exclude<KindChoice, 'todas'>;
  /** The token of its colour. */
  readonly colour: string;
  /** The outline of its marker in a square from −7 to 7, so that no family depends on its colour. */
  readonly outline: string;
}

/** The families of bonds, in the order of the legend. */
const terms = {
  'dolar-ny': {
    name: 'Dólar, ley Nueva York',
    colour: 'line-3',
    kind: 'dolares',
    outline: 'M-5.5 0a5.5 5.5 0 1 0 11 0a5.5 5.5 0 1 0 -11 0Z',
  },
  'dolar-ar': {
    name: 'Dólar, ley argentina',
    colour: 'line-1',
    kind: 'dolares',
    outline: 'M-5 -5H5V5H-5Z',
  },
  bopreal: {
    name: 'BOPREAL',
    colour: 'average-3',
    kind: 'dolares',
    outline: 'M0 -6.5L6.5 0L0 6.5L-6.5 0Z',
  },
  on: {
    name: 'Obligaciones negociables',
    colour: 'line-4',
    kind: 'dolares',
    outline: 'M0 -6L6 5H-6Z',
  },
  linked: { name: 'Dólar linked', colour: 'average-2', kind: 'dolares', outline: 'M0 6L6 -5H-6Z' },
  cer: {
    name: 'CER',
    colour: 'line-2',
    kind: 'real',
    outline: 'M-2 -6H2V-2H6V2H2V6H-2V2H-6V-2H-2Z',
  },
  uva: { name: 'UVA', colour: 'weighted', kind: 'real', outline: 'M-3 -6H3L6.5 0L3 6H-3L-6.5 0Z' },
  fija: {
    name: 'Tasa fija',
    colour: 'average-1',
    kind: 'pesos',
    outline: 'M-6 -3.5L-3.5 -6L0 -2.5L3.5 -6L6 -3.5L2.5 0L6 3.5L3.5 6L0 2.5L-3.5 6L-6 3.5L-2.5 0Z',
  },
  dual: {
    name: 'Duales, pata fija',
    colour: 'bad',
    kind: 'pesos',
    outline: 'M-6.5 -3.5H6.5V3.5H-6.5Z',
  },
  variable: {
    name: 'Tasa variable',
    colour: 'mark',
    kind: 'pesos',
    outline: 'M-3.5 -6.5H3.5V6.5H-3.5Z',
  },
  otra: { name: 'Otros', colour: 'muted', outline: 'M0 -6.5L6 -2L4 5.5H-4L-6 -2Z' },
} as const satisfies Record<string, FamilyTerms>;

export type Family = keyof typeof terms;
export const families: Readonly<Record<Family, FamilyTerms>> = terms;
export const familyCodes = Object.keys(terms) as readonly Family[];

/** The style of what has the colour of a family. */
export function colourOf(family: Family) {
  return { '--family': `var(--${families[family].colour})` };
}

const byIndex: Readonly<Record<string, Family>> = {
  CER: 'cer',
  UVA: 'uva',
  A3500: 'linked',
  TAMAR: 'variable',
  BADLAR: 'variable',
};

/**
 * The family of a bond, from what `/bonos` says of its index and of what it supposes, and from its terms in
 * `/especies.json`.
 */
export function familyOf(
  { indice, supuesto }: Pick<BondFigures, 'indice' | 'supuesto'>,
  issue: Pick<InstrumentInfo, 'tipo' | 'emisor' | 'ley' | 'monedaPagos'> | undefined,
): Family {
  if (supuesto?.includes('pata fija') === true) return 'dual';
  const indexed = byIndex[indice ?? ''];
  if (indexed !== undefined) return indexed;
  if (issue?.tipo === 'obligacion-negociable') return 'on';
  if (issue?.monedaPagos === 'ARS') return 'fija';
  if (issue?.monedaPagos !== 'USD') return 'otra';
  if (issue.emisor?.startsWith('Banco Central') === true) return 'bopreal';
  if (issue.ley === 'NY') return 'dolar-ny';
  return issue.ley === 'AR' ? 'dolar-ar' : 'otra';
}

/** The families that a choice hides. */
export function hiddenFor(kind: KindChoice): ReadonlySet<Family> {
  return new Set(familyCodes.filter((code) => kind !== 'todas' && families[code].kind !== kind));
}

/** The choice that hides exactly these families. Undefined if the user has hidden others. */
export function chosenKind(hidden: ReadonlySet<Family>): KindChoice | undefined {
  return kindChoices.find(({ value }) => hiddenFor(value).symmetricDifference(hidden).size === 0)
    ?.value;
}

/** Points in groups whose yields are comparable, each with its name. */
export function byKind<Point extends { readonly family: Family }>(
  points: readonly Point[],
): readonly { readonly name: string; readonly points: readonly Point[] }[] {
  const groups = Map.groupBy(points, ({ family }) => families[family].kind);
  return [...yieldKinds, { value: undefined, name: 'Otros' }].flatMap(({ value, name }) => {
    const own = groups.get(value);
    return own === undefined ? [] : [{ name, points: own }];
  });
}
