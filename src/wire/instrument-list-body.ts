import type { Instrument, InstrumentKind } from '../domain/instrument.ts';
import type { QuoteSource } from '../domain/quote.ts';
import { Table } from './table.ts';

/** The names of the kinds in the public contract. */
const kindNames: Readonly<Record<InstrumentKind, string>> = {
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

/** An instrument with the source in use, where one is known. */
export interface ListedInstrument {
  readonly instrument: Instrument;
  readonly source: QuoteSource | undefined;
}

/**
 * The table of `/especies.json` (contract 4.4.2): the properties of each instrument that its quotes do
 * not show, such as name, market, unit of the change and the source in use.
 */
export const instrumentTable = new Table<ListedInstrument>({
  especie: { column: 'text', value: ({ instrument }) => instrument.ticker },
  nombre: { column: 'text', value: ({ instrument }) => instrument.name },
  tipo: { column: 'text', value: ({ instrument }) => kindNames[instrument.kind] },
  mercado: { column: 'text', value: ({ instrument }) => instrument.market },
  moneda: { column: 'text', value: ({ instrument }) => instrument.currency },
  decimales: { column: 'number', value: ({ instrument }) => instrument.decimals },
  unidadVariacion: {
    column: 'text',
    value: ({ instrument }) => (instrument.changeUnit === 'points' ? 'puntos' : 'por-ciento'),
  },
  fuente: { column: 'text', value: ({ source }) => source?.name },
  demoraMinutos: { column: 'number', value: ({ source }) => source?.delayMinutes },
});
