import type { BondFigures, InstrumentInfo } from '../../market/api/quote.ts';

/** The families of bonds, in the order of the legend. Yields are comparable within one. */
export const families = {
  'dolar-ny': 'Dólar, ley Nueva York',
  'dolar-ar': 'Dólar, ley argentina',
  bopreal: 'BOPREAL',
  on: 'Obligaciones negociables',
  linked: 'Dólar linked',
  cer: 'CER',
  uva: 'UVA',
  fija: 'Tasa fija',
  dual: 'Duales, pata fija',
  variable: 'Tasa variable',
  otra: 'Otros',
} as const;

/** In what the yields of families are: they are comparable within one of these. */
export const yieldKinds = {
  dolares: ['dolar-ny', 'dolar-ar', 'bopreal', 'on', 'linked'],
  real: ['cer', 'uva'],
  pesos: ['fija', 'dual', 'variable'],
} as const satisfies Record<string, readonly (keyof typeof families)[]>;

export type YieldKind = keyof typeof yieldKinds;

export type Family = keyof typeof families;

export const familyCodes = Object.keys(families) as readonly Family[];

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
  terms: Pick<InstrumentInfo, 'tipo' | 'emisor' | 'ley' | 'monedaPagos'> | undefined,
): Family {
  if (supuesto?.includes('pata fija') === true) return 'dual';
  const indexed = byIndex[indice ?? ''];
  if (indexed !== undefined) return indexed;
  if (terms?.tipo === 'obligacion-negociable') return 'on';
  if (terms?.monedaPagos === 'ARS') return 'fija';
  if (terms?.monedaPagos !== 'USD') return 'otra';
  if (terms.emisor?.startsWith('Banco Central') === true) return 'bopreal';
  if (terms.ley === 'NY') return 'dolar-ny';
  return terms.ley === 'AR' ? 'dolar-ar' : 'otra';
}
