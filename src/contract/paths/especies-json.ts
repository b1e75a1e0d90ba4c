import { termIndexNames } from '../../domain/indices/index-name.ts';
import type { Instrument, InstrumentKind } from '../../domain/instruments/instrument.ts';
import type { InstrumentIdentity } from '../../domain/instruments/instrument-identity.ts';
import { foldForSearch } from '../../domain/instruments/instrument-search.ts';
import type { TermsField } from '../../domain/instruments/issue-terms.ts';
import { termsValues } from '../../domain/instruments/terms-values.ts';
import type { QuoteSource } from '../../domain/quotes/quote.ts';
import type { Parsed } from '../../domain/values/problem.ts';
import { instrumentFieldNames, searchTextMax } from '../../wire/params/instrument-fields.ts';
import { operation } from '../operation.ts';
import type { Input } from '../part.ts';
import { campos, once, optionalSelection } from '../parts.ts';
import {
  flag,
  number,
  Table,
  TableWithExtras,
  text,
  type Field,
  type FieldAbout,
} from '../table.ts';

const inputs = {
  buscar: {
    schema: { type: 'string', minLength: 1, maxLength: 100 },
    es: 'Texto que se busca en la especie y en el nombre. No se distinguen mayúsculas de minúsculas ni se consideran los acentos. Admite hasta 100 caracteres. No puede estar vacío. Se admite una sola vez.',
  },
  campos: {
    schema: { type: 'array', items: 'CampoDeInstrumento' },
    es: 'Campos que se agregan a cada fila después de los demás, separados por comas: `precioPor`, `isin`, `base`, `clase`, `emisor`, `ley`, `monedaPagos`, `opcion`, `terminos`, `terminosRevisados`, `terminosFuentes`, `vencimiento` y las condiciones de emisión de un bono o una letra: `titulo`, `emision`, `frecuencia`, `primerCupon`, `fechasCupon`, `tasa`, `conteoDias`, `amortizacion`, `indice`, `rezago`, `baseIndice`, `margen`, `factor`, `tem`, `dual` y `ajusteFecha`. Un campo que no se conoce está ausente. Si el parámetro se repite, los valores forman una sola lista.',
  },
} as const satisfies Readonly<Record<string, Input>>;

function parseSearch(sent: string): Parsed<string> {
  if (sent.length > searchTextMax) {
    const problem = { type: 'search-too-long', count: sent.length, max: searchTextMax } as const;
    return { ok: false, problem };
  }
  const value = foldForSearch(sent);
  return value === '' ? { ok: false, problem: { type: 'search-empty' } } : { ok: true, value };
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

/** An instrument with the source in use, where one is known. */
export interface ListedInstrument {
  readonly instrument: Instrument;
  readonly identity: InstrumentIdentity;
  readonly source: QuoteSource | undefined;
  readonly isStale: boolean;
}

const about = {
  especie: { schema: { type: 'string', minLength: 1 }, es: 'Especie del instrumento.' },
  nombre: { schema: { type: 'string' }, es: 'Nombre del instrumento.' },
  tipo: {
    schema: {
      type: 'string',
      enum: [
        'accion',
        'cedear',
        'adr',
        'etf',
        'bono',
        'obligacion-negociable',
        'letra',
        'cripto',
        'indice',
        'tipo-de-cambio',
        'tasa',
        'brecha',
        'riesgo-pais',
      ],
    },
  },
  mercado: {
    schema: { type: 'string' },
    es: 'Código del mercado cuyo calendario sigue. `/mercados` describe los mercados.',
  },
  moneda: {
    schema: { type: 'string' },
    es: 'Código ISO 4217, si existe. `%` y `bp` para valores que no son dinero.',
  },
  decimales: {
    schema: { type: 'integer', minimum: 0, maximum: 15 },
    es: 'Cantidad máxima de decimales de sus precios.',
  },
  unidadVariacion: {
    schema: { type: 'string', enum: ['por-ciento', 'puntos'] },
    es: 'Unidad del campo `variacion` de sus cotizaciones.',
  },
  ratio: {
    schema: { type: 'string', pattern: '^[1-9]\\d{0,5}:[1-9]\\d{0,5}$' },
    without: 'absent',
    es: 'Relación vigente de un CEDEAR u otro certificado de depósito con su subyacente: `20:1` indica que 20 certificados equivalen a una acción. Ausente si no corresponde o no se conoce.',
  },
  subyacente: {
    schema: { type: 'string' },
    without: 'absent',
    es: 'Especie del subyacente de un CEDEAR u otro certificado de depósito. Puede no figurar en la lista. Ausente si no corresponde o no se conoce.',
  },
  fuente: {
    schema: { type: 'string' },
    without: 'absent',
    es: 'Nombre de la fuente de `ultimo`. Ausente si el instrumento se calcula a partir de otros, y si ninguna fuente dio un precio desde que se importó su cierre.',
  },
  demoraMinutos: {
    schema: { type: 'number', minimum: 0 },
    without: 'absent',
    es: 'Demora de esa fuente respecto del mercado, en minutos. La de un instrumento calculado es la mayor de las fuentes de sus componentes. Ausente si no se conoce: una fuente puede no informar su demora.',
  },
  atrasada: {
    schema: { type: 'boolean', const: true },
    without: 'absent',
    es: 'Presente si la fuente en uso no envía datos mientras el mercado del instrumento está abierto, y en un instrumento calculado, si la de uno de sus componentes no los envía. No figura en CSV.',
  },
  precioPor: {
    schema: { type: 'integer', minimum: 1, maximum: 1000000 },
    without: 'absent',
    es: 'Cantidad a la que corresponde un precio: 100 si el precio es el de 100 nominales. El valor de una tenencia es cantidad × precio ÷ `precioPor`, en `moneda`. Solo si se pidió en `campos`.',
  },
  isin: {
    schema: { type: 'string', pattern: '^[A-Z]{2}[A-Z0-9]{9}\\d$' },
    without: 'absent',
    es: 'Código ISIN de la emisión, el mismo para todas sus clases. Ausente si no se conoce. Solo si se pidió en `campos`.',
  },
  base: {
    schema: { type: 'string', minLength: 1 },
    without: 'absent',
    es: 'Especie de la clase en pesos, también en su propia fila. Ausente si el instrumento no tiene otras clases. Solo si se pidió en `campos`.',
  },
  clase: {
    schema: { type: 'string', enum: ['ARS', 'MEP', 'CABLE'] },
    without: 'absent',
    es: 'Clase del instrumento: en pesos, o en dólares que se pagan en la Argentina (`MEP`) o en el exterior (`CABLE`). Ausente si no tiene otras clases. Solo si se pidió en `campos`.',
  },
  emisor: {
    schema: { type: 'string', minLength: 1 },
    without: 'absent',
    es: 'Quién emitió el instrumento, si no es lo que dice su nombre. Ausente si no se conoce. Solo si se pidió en `campos`.',
  },
  ley: {
    schema: { type: 'string', enum: ['AR', 'NY'] },
    without: 'absent',
    es: 'Ley de la emisión de un bono o una letra: argentina o de Nueva York. Ausente si no se conoce. Solo si se pidió en `campos`.',
  },
  monedaPagos: {
    schema: { type: 'string', pattern: '^[A-Z]{3}$' },
    without: 'absent',
    es: 'Moneda de los pagos de un bono o una letra, la misma para todas sus clases. Ausente si no se conocen sus condiciones de emisión. Solo si se pidió en `campos`.',
  },
  opcion: {
    schema: { type: 'string', minLength: 1 },
    without: 'absent',
    es: 'Opción del emisor o del tenedor de un bono. Las cifras de `/bonos` no la valúan. Solo si se pidió en `campos`.',
  },
  terminos: {
    schema: { type: 'string', minLength: 1 },
    without: 'absent',
    es: 'Si las condiciones de emisión son seguras: `verificado`, o la duda. Ausente si nadie lo indicó. Solo si se pidió en `campos`.',
  },
  terminosRevisados: {
    schema: { type: 'string', format: 'date' },
    without: 'absent',
    es: 'Día en el que las condiciones de emisión se compararon por última vez con sus fuentes. Solo si se pidió en `campos`.',
  },
  terminosFuentes: {
    schema: { type: 'string', minLength: 1 },
    without: 'absent',
    es: 'Fuentes de las condiciones de emisión. Solo si se pidió en `campos`.',
  },
  vencimiento: {
    schema: { type: 'string', format: 'date' },
    without: 'absent',
    es: 'Vencimiento contractual de un bono o una letra. Ausente si no se conoce. Solo si se pidió en `campos`.',
  },
  titulo: {
    schema: { type: 'string', minLength: 1 },
    without: 'absent',
    es: 'Especie bajo la que están las condiciones de emisión: la misma para todas las clases de un título. Ausente, como los campos que siguen, si no se conocen. Solo si se pidió en `campos`.',
  },
  emision: {
    schema: { type: 'string', format: 'date' },
    without: 'absent',
    es: 'Primer día de devengamiento. Solo si se pidió en `campos`.',
  },
  frecuencia: {
    schema: { type: 'integer', minimum: 1, maximum: 12 },
    without: 'absent',
    es: 'Meses entre dos cupones. Ausente si los cupones no son regulares. Solo si se pidió en `campos`.',
  },
  primerCupon: {
    schema: { type: 'string', format: 'date' },
    without: 'absent',
    es: 'Fecha del primer cupón, si son regulares. Solo si se pidió en `campos`.',
  },
  fechasCupon: {
    schema: { type: 'string', minLength: 1 },
    without: 'absent',
    es: 'Fechas de todos los cupones, separadas por espacios, si no son regulares. Solo si se pidió en `campos`.',
  },
  tasa: {
    schema: { type: 'string', minLength: 1 },
    without: 'absent',
    es: 'Tasas anuales fijas, en por ciento, cada una desde su fecha: `2021-07-09=0.5;2023-07-09=0.75`. Solo si se pidió en `campos`.',
  },
  conteoDias: {
    schema: { type: 'string', enum: ['30/360', 'act/365', 'act/360'] },
    without: 'absent',
    es: 'Conteo de días del cupón. Solo si se pidió en `campos`.',
  },
  amortizacion: {
    schema: { type: 'string', minLength: 1 },
    without: 'absent',
    es: 'Amortizaciones, en por ciento del valor nominal original: en una fecha, o en cada fecha de cupón de un rango (`2024-07-09=4;2025-01-09/2030-07-09=8`). Solo si se pidió en `campos`.',
  },
  indice: {
    schema: { type: 'string', enum: termIndexNames },
    without: 'absent',
    es: 'Índice por el que ajusta, o tasa del cupón variable. Solo si se pidió en `campos`.',
  },
  rezago: {
    schema: { type: 'integer', minimum: 0 },
    without: 'absent',
    es: 'Días de liquidación por los que el índice precede a la liquidación. Solo si se pidió en `campos`.',
  },
  baseIndice: {
    schema: { type: 'number', exclusiveMinimum: 0 },
    without: 'absent',
    es: 'Valor del índice a la emisión. Solo si se pidió en `campos`.',
  },
  margen: {
    schema: { type: 'number', minimum: 0 },
    without: 'absent',
    es: 'Puntos de un cupón variable sobre la tasa. Solo si se pidió en `campos`.',
  },
  factor: {
    schema: { type: 'number', exclusiveMinimum: 0 },
    without: 'absent',
    es: 'Interés capitalizado en el capital: 1.27 si 100 nominales deben 127, y 1 si no hubo. Solo si se pidió en `campos`.',
  },
  tem: {
    schema: { type: 'number', minimum: 0 },
    without: 'absent',
    es: 'Tasa mensual de una LECAP o un BONCAP, en por ciento. Solo si se pidió en `campos`.',
  },
  dual: {
    schema: { type: 'string', const: 'max' },
    without: 'absent',
    es: 'Si paga la mejor de `tem` y una tasa variable. Solo si se pidió en `campos`.',
  },
  ajusteFecha: {
    schema: { type: 'string', const: 'siguiente' },
    without: 'absent',
    es: 'Si un pago en un día sin rueda se hace en la rueda siguiente. Solo si se pidió en `campos`.',
  },
} as const satisfies Readonly<Record<string, FieldAbout>>;

/** A field of the terms of an issue. */
function ofTerms(
  field: TermsField,
  kind: typeof text | typeof number,
  of: FieldAbout,
): Field<ListedInstrument> {
  const valueOf = termsValues[field];
  return (kind as typeof text)(
    ({ identity: { terms } }) => (terms === undefined ? undefined : (valueOf(terms) as string)),
    of,
  );
}

const plain = new Table<ListedInstrument>({
  especie: text(({ instrument }) => instrument.ticker, about.especie),
  nombre: text(({ instrument }) => instrument.name, about.nombre),
  tipo: text(({ instrument }) => kindNames[instrument.kind], about.tipo),
  mercado: text(({ instrument }) => instrument.market, about.mercado),
  moneda: text(({ instrument }) => instrument.currency, about.moneda),
  decimales: number(({ instrument }) => instrument.decimals, about.decimales),
  unidadVariacion: text(
    ({ instrument }) => (instrument.changeUnit === 'points' ? 'puntos' : 'por-ciento'),
    about.unidadVariacion,
  ),
  ratio: text(({ instrument }) => instrument.ratio, about.ratio),
  subyacente: text(({ instrument }) => instrument.underlying, about.subyacente),
  fuente: text(({ source }) => source?.name, about.fuente),
  demoraMinutos: number(({ source }) => source?.delayMinutes, about.demoraMinutos),
  atrasada: flag(({ isStale }) => isStale, about.atrasada),
});

/** The properties of each instrument that its quotes do not show (contract 4.4.2). */
export const instrumentTable = new TableWithExtras(plain, {
  pricePer: ['precioPor', number(({ instrument }) => instrument.pricePer, about.precioPor)],
  isin: ['isin', ofTerms('isin', text, about.isin)],
  base: ['base', text(({ identity }) => identity.base, about.base)],
  paid: [
    'clase',
    text(
      ({ identity: { paid } }) => (paid === undefined ? undefined : classNames[paid]),
      about.clase,
    ),
  ],
  issuer: ['emisor', text(({ identity }) => identity.issuer, about.emisor)],
  law: ['ley', ofTerms('law', text, about.ley)],
  flowCurrency: ['monedaPagos', ofTerms('flowCurrency', text, about.monedaPagos)],
  option: ['opcion', ofTerms('option', text, about.opcion)],
  termsState: ['terminos', ofTerms('termsState', text, about.terminos)],
  termsReviewed: ['terminosRevisados', ofTerms('termsReviewed', text, about.terminosRevisados)],
  termsSources: ['terminosFuentes', ofTerms('termsSources', text, about.terminosFuentes)],
  maturity: [
    'vencimiento',
    text(
      ({ instrument, identity }) => instrument.maturity ?? identity.terms?.maturity,
      about.vencimiento,
    ),
  ],
  issue: ['titulo', ofTerms('issue', text, about.titulo)],
  issued: ['emision', ofTerms('issued', text, about.emision)],
  couponMonths: ['frecuencia', ofTerms('couponMonths', number, about.frecuencia)],
  firstCoupon: ['primerCupon', ofTerms('firstCoupon', text, about.primerCupon)],
  couponDates: ['fechasCupon', ofTerms('couponDates', text, about.fechasCupon)],
  rates: ['tasa', ofTerms('rates', text, about.tasa)],
  dayCount: ['conteoDias', ofTerms('dayCount', text, about.conteoDias)],
  amortisation: ['amortizacion', ofTerms('amortisation', text, about.amortizacion)],
  index: ['indice', ofTerms('index', text, about.indice)],
  indexLag: ['rezago', ofTerms('indexLag', number, about.rezago)],
  indexBase: ['baseIndice', ofTerms('indexBase', number, about.baseIndice)],
  margin: ['margen', ofTerms('margin', number, about.margen)],
  factor: ['factor', ofTerms('factor', number, about.factor)],
  monthlyRate: ['tem', ofTerms('monthlyRate', number, about.tem)],
  dual: ['dual', ofTerms('dual', text, about.dual)],
  paymentDay: ['ajusteFecha', ofTerms('paymentDay', text, about.ajusteFecha)],
});

/** The instruments with their properties, or those of them that a search finds (contract 4.7). */
export const especiesJson = operation({
  path: '/especies.json',
  clause: '4.4.2',
  params: {
    selection: optionalSelection,
    search: once('buscar', parseSearch, inputs.buscar),
    fields: campos(instrumentFieldNames, inputs.campos),
  },
  tables: { Instrumento: instrumentTable },
});
