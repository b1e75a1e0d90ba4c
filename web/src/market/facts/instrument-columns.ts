import { bondColumns, isBondField, type BondField } from './bond-columns.ts';
import { absent, formatPrice } from '../format/numbers.ts';
import { impliedDollar, impliedHint } from './receipt-dollars.ts';
import { unitNameOf } from '../format/unit-name.ts';
import type { RowFacts } from './instrument-facts.ts';

/** The columns whose values are not fields of a quote. */
const instrumentFields = ['moneda', 'precioPor', 'ratio', 'subyacente', 'implicito'] as const;
export type InstrumentField = (typeof instrumentFields)[number] | BondField;

/** Whether a column has values that are not fields of a quote. */
export function isInstrumentField(field: string): field is InstrumentField {
  return isBondField(field) || instrumentFields.some((one) => one === field);
}

/** A column whose values are not fields of a quote. */
interface InstrumentColumn {
  readonly title: string;
  readonly meaning: string;
  /** The value by which the board is sorted, and which is exported. Undefined if it is not known. */
  readonly value: (facts: RowFacts) => string | number | undefined;
  readonly text: (facts: RowFacts) => string;
  /** What the title of a cell adds to its text, such as the reason for a dash. */
  readonly hint?: (facts: RowFacts) => string | undefined;
  /** Whether the value depends on the convention by which figures of bonds are counted. */
  readonly isByConvention?: boolean;
  /** A usual text, whose room the column has before its values arrive. */
  readonly sample?: string;
}

export const instrumentColumns: Readonly<Record<InstrumentField, InstrumentColumn>> = {
  ...bondColumns,
  moneda: {
    title: 'Mon.',
    meaning: 'Moneda o unidad del precio',
    value: ({ info }) => unitNameOf(info) || undefined,
    text: ({ info }) => unitNameOf(info) || absent,
  },
  precioPor: {
    title: 'Cada',
    meaning: 'Cantidad a la que corresponde el precio: 100 nominales en los bonos',
    value: ({ info }) => info?.precioPor,
    text: ({ info }) => String(info?.precioPor ?? absent),
  },
  ratio: {
    title: 'Ratio',
    meaning: 'Certificados que equivalen a una unidad del subyacente',
    value: ({ info }) => info?.ratio,
    text: ({ info }) => info?.ratio ?? absent,
  },
  subyacente: {
    title: 'Subyacente',
    meaning: 'Especie del subyacente',
    value: ({ info }) => info?.subyacente,
    text: ({ info }) => info?.subyacente ?? absent,
  },
  implicito: {
    title: 'Dólar impl.',
    meaning:
      'CCL implícito: con él, el certificado vale lo mismo que su parte del subyacente. Solo si ambos precios son del mismo día, con los dos mercados abiertos',
    sample: formatPrice(1500),
    value: impliedDollar,
    text: (facts) => formatPrice(impliedDollar(facts)),
    hint: impliedHint,
  },
};
