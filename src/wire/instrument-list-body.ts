import type { Instrument, InstrumentKind } from '../domain/instrument.ts';

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
 * each instrument that its quotes do not show, such as name, market and unit of the change.
 */
export function instrumentListJson(instruments: readonly Instrument[]): string {
  return JSON.stringify(instruments.map(instrumentRow));
}

function instrumentRow(instrument: Instrument): object {
  return {
    especie: instrument.ticker,
    nombre: instrument.name,
    tipo: kindNames[instrument.kind],
    mercado: instrument.market,
    moneda: instrument.currency,
    decimales: instrument.decimals,
    unidadVariacion: instrument.changeUnit === 'points' ? 'puntos' : 'por-ciento',
  };
}
