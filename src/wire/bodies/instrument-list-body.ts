import type { Instrument, InstrumentKind } from '../../domain/instruments/instrument.ts';
import type { InstrumentIdentity } from '../../domain/instruments/instrument-identity.ts';
import type { TermsField } from '../../domain/instruments/issue-terms.ts';
import { termsValues } from '../../domain/instruments/terms-values.ts';
import type { QuoteSource } from '../../domain/quotes/quote.ts';
import { numberColumn, textColumn } from '../texts/csv-text.ts';
import type { CsvColumn } from '../texts/csv-text.ts';
import { instrumentFieldNames } from '../params/instrument-fields.ts';
import type { InstrumentField } from '../params/instrument-fields.ts';
import { Table } from './table.ts';
import type { TableField } from './table.ts';

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
  /** Whether this source is stale while the market of the instrument is open. */
  readonly isStale?: boolean;
}

/** A field of the terms of an issue. */
function ofTerms(field: TermsField, column: CsvColumn): TableField<ListedInstrument> {
  const valueOf = termsValues[field];
  return {
    column,
    value: ({ identity: { terms } }) => (terms === undefined ? undefined : valueOf(terms)),
  };
}

const extraFields: Readonly<Record<InstrumentField, TableField<ListedInstrument>>> = {
  pricePer: { column: numberColumn, value: ({ instrument }) => instrument.pricePer },
  isin: ofTerms('isin', textColumn),
  base: { column: textColumn, value: ({ identity }) => identity.base },
  paid: {
    column: textColumn,
    value: ({ identity: { paid } }) => (paid === undefined ? undefined : classNames[paid]),
  },
  issuer: { column: textColumn, value: ({ identity }) => identity.issuer },
  law: ofTerms('law', textColumn),
  flowCurrency: ofTerms('flowCurrency', textColumn),
  option: ofTerms('option', textColumn),
  termsState: ofTerms('termsState', textColumn),
  termsReviewed: ofTerms('termsReviewed', textColumn),
  termsSources: ofTerms('termsSources', textColumn),
  maturity: {
    column: textColumn,
    value: ({ instrument, identity }) => instrument.maturity ?? identity.terms?.maturity,
  },
  issue: ofTerms('issue', textColumn),
  issued: ofTerms('issued', textColumn),
  couponMonths: ofTerms('couponMonths', numberColumn),
  firstCoupon: ofTerms('firstCoupon', textColumn),
  couponDates: ofTerms('couponDates', textColumn),
  rates: ofTerms('rates', textColumn),
  dayCount: ofTerms('dayCount', textColumn),
  amortisation: ofTerms('amortisation', textColumn),
  index: ofTerms('index', textColumn),
  indexLag: ofTerms('indexLag', numberColumn),
  indexBase: ofTerms('indexBase', numberColumn),
  margin: ofTerms('margin', numberColumn),
  factor: ofTerms('factor', numberColumn),
  monthlyRate: ofTerms('monthlyRate', numberColumn),
  dual: ofTerms('dual', textColumn),
  paymentDay: ofTerms('paymentDay', textColumn),
};

const fields: Readonly<Record<string, TableField<ListedInstrument>>> = {
  especie: { column: textColumn, value: ({ instrument }) => instrument.ticker },
  nombre: { column: textColumn, value: ({ instrument }) => instrument.name },
  tipo: { column: textColumn, value: ({ instrument }) => kindNames[instrument.kind] },
  mercado: { column: textColumn, value: ({ instrument }) => instrument.market },
  moneda: { column: textColumn, value: ({ instrument }) => instrument.currency },
  decimales: { column: numberColumn, value: ({ instrument }) => instrument.decimals },
  unidadVariacion: {
    column: textColumn,
    value: ({ instrument }) => (instrument.changeUnit === 'points' ? 'puntos' : 'por-ciento'),
  },
  ratio: { column: textColumn, value: ({ instrument }) => instrument.ratio },
  subyacente: { column: textColumn, value: ({ instrument }) => instrument.underlying },
  fuente: { column: textColumn, value: ({ source }) => source?.name },
  demoraMinutos: { column: numberColumn, value: ({ source }) => source?.delayMinutes },
  atrasada: { value: ({ isStale }) => isStale === true || undefined },
};

/**
 * The table of `/especies.json` (contract 4.4.2): the properties of each instrument that its quotes do
 * not show, such as name, market, unit of the change and the source in use, and then the fields on
 * request.
 *
 * @param requested in the order of a row
 */
export function instrumentTable(
  requested: readonly InstrumentField[] = [],
): Table<ListedInstrument> {
  const added = requested.map(
    (field) => [instrumentFieldNames[field], extraFields[field]] as const,
  );
  return new Table({ ...fields, ...Object.fromEntries(added) });
}
