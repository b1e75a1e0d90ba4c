import { termIndexNames } from '../../domain/indices/index-name.ts';
import type {
  ChangeUnit,
  Instrument,
  InstrumentKind,
} from '../../domain/instruments/instrument.ts';
import type { InstrumentIdentity } from '../../domain/instruments/instrument-identity.ts';
import { foldForSearch } from '../../domain/instruments/instrument-search.ts';
import type { TermsField } from '../../domain/instruments/issue-terms.ts';
import { termsValues } from '../../domain/instruments/terms-values.ts';
import type { QuoteSource } from '../../domain/quotes/quote.ts';
import { refused, type Parsed } from '../../domain/values/problem.ts';
import { operation } from '../operation.ts';
import { campos, once, optionalSelection } from '../parts.ts';
import {
  dateField,
  flag,
  named,
  number,
  Table,
  text,
  tickerField,
  type Field,
  type FieldAbout,
} from '../table.ts';

/** Maximum length of the text of a search, in UTF-16 code units. It bounds the cost of a search. */
export const searchTextMax = 100;

const inputs = {
  buscar: {
    schema: { type: 'string', minLength: 1, maxLength: searchTextMax },
    es: `Texto que se busca en la especie y en el nombre. No se distinguen mayúsculas de minúsculas ni se consideran los acentos. Admite hasta ${searchTextMax} caracteres. No puede estar vacío. Se admite una sola vez.`,
  },
  campos: {
    es: 'Campos que se agregan a cada fila después de los demás, separados por comas: `precioPor`, `isin`, `base`, `clase`, `emisor`, `ley`, `monedaPagos`, `opcion`, `terminos`, `terminosRevisados`, `terminosFuentes`, `vencimiento` y las condiciones de emisión de un bono o una letra: `titulo`, `emision`, `frecuencia`, `primerCupon`, `fechasCupon`, `tasa`, `conteoDias`, `amortizacion`, `indice`, `rezago`, `baseIndice`, `margen`, `factor`, `tem`, `dual` y `ajusteFecha`. Un campo que no se conoce está ausente. Si el parámetro se repite, los valores forman una sola lista.',
  },
} as const;

function parseSearch(sent: string): Parsed<string> {
  if (sent.length > searchTextMax) {
    return refused({ type: 'search-too-long', count: sent.length, max: searchTextMax });
  }
  const value = foldForSearch(sent);
  return value === '' ? refused({ type: 'search-empty' }) : { ok: true, value };
}

/** The names of the kinds in the public contract. */
export const kindNames: Readonly<Record<InstrumentKind, string>> = {
  share: 'accion',
  cedear: 'cedear',
  adr: 'adr',
  etf: 'etf',
  bond: 'bono',
  'corporate-bond': 'obligacion-negociable',
  bill: 'letra',
  crypto: 'cripto',
  index: 'indice',
  'exchange-rate': 'tipo-de-cambio',
  'interest-rate': 'tasa',
  spread: 'brecha',
  'country-risk': 'riesgo-pais',
};

/** The names of the classes of a security in the public contract. */
const classNames: Readonly<Record<NonNullable<InstrumentIdentity['paid']>, string>> = {
  pesos: 'ARS',
  mep: 'MEP',
  cable: 'CABLE',
};

const unitNames: Readonly<Record<ChangeUnit, string>> = {
  percent: 'por-ciento',
  points: 'puntos',
};

/** An instrument with the source in use, where one is known. */
export interface ListedInstrument {
  readonly instrument: Instrument;
  readonly identity: InstrumentIdentity;
  readonly source: QuoteSource | undefined;
  readonly isStale: boolean;
}

/** A field of the terms of an issue. */
interface TermsColumn extends Field<ListedInstrument> {
  readonly terms: TermsField;
}

function ofTerms(
  terms: TermsField,
  kind: typeof text | typeof dateField | typeof number,
  about: Partial<FieldAbout>,
): TermsColumn {
  const valueOf = termsValues[terms];
  const read = ({ identity }: ListedInstrument): string | undefined =>
    identity.terms && (valueOf(identity.terms) as string | undefined);
  return { ...(kind as typeof text)(read, about), terms };
}

const plain = new Table<ListedInstrument>({
  especie: tickerField(({ instrument }) => instrument.ticker),
  nombre: text(({ instrument }) => instrument.name, { es: 'Nombre del instrumento.' }),
  tipo: named(kindNames, ({ instrument }) => instrument.kind),
  mercado: text(({ instrument }) => instrument.market, {
    es: 'Código del mercado cuyo calendario sigue. `/mercados` describe los mercados.',
  }),
  moneda: text(({ instrument }) => instrument.currency, {
    es: 'Código ISO 4217, si existe. `%` y `bp` para valores que no son dinero.',
  }),
  decimales: number(({ instrument }) => instrument.decimals, {
    schema: { type: 'integer', minimum: 0, maximum: 15 },
    es: 'Cantidad máxima de decimales de sus precios.',
  }),
  unidadVariacion: named(unitNames, ({ instrument }) => instrument.changeUnit, {
    es: 'Unidad del campo `variacion` de sus cotizaciones.',
  }),
  ratio: text(({ instrument }) => instrument.ratio, {
    schema: { type: 'string', pattern: '^[1-9]\\d{0,5}:[1-9]\\d{0,5}$' },
    without: 'absent',
    es: 'Relación vigente de un CEDEAR u otro certificado de depósito con su subyacente: `20:1` indica que 20 certificados equivalen a una acción. Ausente si no corresponde o no se conoce.',
  }),
  subyacente: text(({ instrument }) => instrument.underlying, {
    without: 'absent',
    es: 'Especie del subyacente de un CEDEAR u otro certificado de depósito. Puede no figurar en la lista. Ausente si no corresponde o no se conoce.',
  }),
  fuente: text(({ source }) => source?.name, {
    without: 'absent',
    es: 'Nombre de la fuente de `ultimo`. Ausente si el instrumento se calcula a partir de otros, y si ninguna fuente dio un precio desde que se importó su cierre.',
  }),
  demoraMinutos: number(({ source }) => source?.delayMinutes, {
    schema: { type: 'number', minimum: 0 },
    without: 'absent',
    es: 'Demora de esa fuente respecto del mercado, en minutos. La de un instrumento calculado es la mayor de las fuentes de sus componentes. Ausente si no se conoce: una fuente puede no informar su demora.',
  }),
  atrasada: flag(({ isStale }) => isStale, {
    es: 'Presente si la fuente en uso no envía datos mientras el mercado del instrumento está abierto, y en un instrumento calculado, si la de uno de sus componentes no los envía. No figura en CSV.',
  }),
});

/** The properties of each instrument that its quotes do not show (contract 4.4.2). */
export const instrumentTable = plain.withExtras({
  precioPor: number(({ instrument }) => instrument.pricePer, {
    schema: { type: 'integer', minimum: 1, maximum: 1000000 },
    es: 'Cantidad a la que corresponde un precio: 100 si el precio es el de 100 nominales. El valor de una tenencia es cantidad × precio ÷ `precioPor`, en `moneda`. Solo si se pidió en `campos`.',
  }),
  isin: ofTerms('isin', text, {
    schema: { type: 'string', pattern: '^[A-Z]{2}[A-Z0-9]{9}\\d$' },
    es: 'Código ISIN de la emisión, el mismo para todas sus clases. Ausente si no se conoce. Solo si se pidió en `campos`.',
  }),
  base: text(({ identity }) => identity.base, {
    schema: { type: 'string', minLength: 1 },
    es: 'Especie de la clase en pesos, también en su propia fila. Ausente si el instrumento no tiene otras clases. Solo si se pidió en `campos`.',
  }),
  clase: named(classNames, ({ identity }) => identity.paid, {
    es: 'Clase del instrumento: en pesos, o en dólares que se pagan en la Argentina (`MEP`) o en el exterior (`CABLE`). Ausente si no tiene otras clases. Solo si se pidió en `campos`.',
  }),
  emisor: text(({ identity }) => identity.issuer, {
    schema: { type: 'string', minLength: 1 },
    es: 'Quién emitió el instrumento, si no es lo que dice su nombre. Ausente si no se conoce. Solo si se pidió en `campos`.',
  }),
  ley: ofTerms('law', text, {
    schema: { type: 'string', enum: ['AR', 'NY'] },
    es: 'Ley de la emisión de un bono o una letra: argentina o de Nueva York. Ausente si no se conoce. Solo si se pidió en `campos`.',
  }),
  monedaPagos: ofTerms('flowCurrency', text, {
    schema: { type: 'string', pattern: '^[A-Z]{3}$' },
    es: 'Moneda de los pagos de un bono o una letra, la misma para todas sus clases. Ausente si no se conocen sus condiciones de emisión. Solo si se pidió en `campos`.',
  }),
  opcion: ofTerms('option', text, {
    schema: { type: 'string', minLength: 1 },
    es: 'Opción del emisor o del tenedor de un bono. Las cifras de `/bonos` no la valúan. Solo si se pidió en `campos`.',
  }),
  terminos: ofTerms('termsState', text, {
    schema: { type: 'string', minLength: 1 },
    es: 'Si las condiciones de emisión son seguras: `verificado`, o la duda. Ausente si nadie lo indicó. Solo si se pidió en `campos`.',
  }),
  terminosRevisados: ofTerms('termsReviewed', dateField, {
    es: 'Día en el que las condiciones de emisión se compararon por última vez con sus fuentes. Solo si se pidió en `campos`.',
  }),
  terminosFuentes: ofTerms('termsSources', text, {
    schema: { type: 'string', minLength: 1 },
    es: 'Fuentes de las condiciones de emisión. Solo si se pidió en `campos`.',
  }),
  vencimiento: {
    ...dateField<ListedInstrument>(
      ({ instrument, identity }) => instrument.maturity ?? identity.terms?.maturity,
      {
        es: 'Vencimiento contractual de un bono o una letra. Ausente si no se conoce. Solo si se pidió en `campos`.',
      },
    ),
    terms: 'maturity',
  } satisfies TermsColumn,
  titulo: ofTerms('issue', text, {
    schema: { type: 'string', minLength: 1 },
    es: 'Especie bajo la que están las condiciones de emisión: la misma para todas las clases de un título. Ausente, como los campos que siguen, si no se conocen. Solo si se pidió en `campos`.',
  }),
  emision: ofTerms('issued', dateField, {
    es: 'Primer día de devengamiento. Solo si se pidió en `campos`.',
  }),
  frecuencia: ofTerms('couponMonths', number, {
    schema: { type: 'integer', minimum: 1, maximum: 12 },
    es: 'Meses entre dos cupones. Ausente si los cupones no son regulares. Solo si se pidió en `campos`.',
  }),
  primerCupon: ofTerms('firstCoupon', dateField, {
    es: 'Fecha del primer cupón, si son regulares. Solo si se pidió en `campos`.',
  }),
  fechasCupon: ofTerms('couponDates', text, {
    schema: { type: 'string', minLength: 1 },
    es: 'Fechas de todos los cupones, separadas por espacios, si no son regulares. Solo si se pidió en `campos`.',
  }),
  tasa: ofTerms('rates', text, {
    schema: { type: 'string', minLength: 1 },
    es: 'Tasas anuales fijas, en por ciento, cada una desde su fecha: `2021-07-09=0.5;2023-07-09=0.75`. Solo si se pidió en `campos`.',
  }),
  conteoDias: ofTerms('dayCount', text, {
    schema: { type: 'string', enum: ['30/360', 'act/365', 'act/360'] },
    es: 'Conteo de días del cupón. Solo si se pidió en `campos`.',
  }),
  amortizacion: ofTerms('amortisation', text, {
    schema: { type: 'string', minLength: 1 },
    es: 'Amortizaciones, en por ciento del valor nominal original: en una fecha, o en cada fecha de cupón de un rango (`2024-07-09=4;2025-01-09/2030-07-09=8`). Solo si se pidió en `campos`.',
  }),
  indice: ofTerms('index', text, {
    schema: { type: 'string', enum: termIndexNames },
    es: 'Índice por el que ajusta, o tasa del cupón variable. Solo si se pidió en `campos`.',
  }),
  rezago: ofTerms('indexLag', number, {
    schema: { type: 'integer', minimum: 0 },
    es: 'Días de liquidación por los que el índice precede a la liquidación. Solo si se pidió en `campos`.',
  }),
  baseIndice: ofTerms('indexBase', number, {
    schema: { type: 'number', exclusiveMinimum: 0 },
    es: 'Valor del índice a la emisión. Solo si se pidió en `campos`.',
  }),
  margen: ofTerms('margin', number, {
    schema: { type: 'number', minimum: 0 },
    es: 'Puntos de un cupón variable sobre la tasa. Solo si se pidió en `campos`.',
  }),
  factor: ofTerms('factor', number, {
    schema: { type: 'number', exclusiveMinimum: 0 },
    es: 'Interés capitalizado en el capital: 1.27 si 100 nominales deben 127, y 1 si no hubo. Solo si se pidió en `campos`.',
  }),
  tem: ofTerms('monthlyRate', number, {
    schema: { type: 'number', minimum: 0 },
    es: 'Tasa mensual de una LECAP o un BONCAP, en por ciento. Solo si se pidió en `campos`.',
  }),
  dual: ofTerms('dual', text, {
    schema: { type: 'string', const: 'max' },
    es: 'Si paga la mejor de `tem` y una tasa variable. Solo si se pidió en `campos`.',
  }),
  ajusteFecha: ofTerms('paymentDay', text, {
    schema: { type: 'string', const: 'siguiente' },
    es: 'Si un pago en un día sin rueda se hace en la rueda siguiente. Solo si se pidió en `campos`.',
  }),
});

/** The names of the terms of issues among them. */
export const termsNames = Object.fromEntries(
  Object.entries<Field<ListedInstrument> | TermsColumn>(instrumentTable.extras).flatMap(
    ([name, field]) => ('terms' in field ? [[field.terms, name]] : []),
  ),
) as Readonly<Record<TermsField, string>>;

/** The instruments with their properties, or those of them that a search finds (contract 4.7). */
export const especiesJson = operation({
  path: '/especies.json',
  clause: '4.4.2',
  params: {
    selection: optionalSelection,
    search: once('buscar', parseSearch, inputs.buscar),
    fields: campos(instrumentTable.onRequest, 'CampoDeInstrumento', inputs.campos),
  },
  tables: { Instrumento: instrumentTable },
});
