import type { Instrument, InstrumentKind } from '../domain/instrument.ts';
import type { QuoteSource } from '../domain/quote.ts';

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

/**
 * The body of `/especies.json` (contract 4.4.2), as JSON, in the order given: the properties of
 * each instrument that its quotes do not show, such as name, market, unit of the change and the
 * source in use.
 *
 * @param sources the source in use of each instrument, in the same order.
 */
export function instrumentListJson(
  instruments: readonly Instrument[],
  sources: readonly (QuoteSource | undefined)[],
): string {
  return JSON.stringify(instruments.map((one, index) => instrumentRow(one, sources[index])));
}

function instrumentRow(instrument: Instrument, source: QuoteSource | undefined): object {
  return {
    especie: instrument.ticker,
    nombre: instrument.name,
    tipo: kindNames[instrument.kind],
    mercado: instrument.market,
    moneda: instrument.currency,
    decimales: instrument.decimals,
    unidadVariacion: instrument.changeUnit === 'points' ? 'puntos' : 'por-ciento',
    // JSON has no undefined: a source that is not known is left out.
    fuente: source?.name,
    demoraMinutos: source?.delayMinutes,
  };
}
