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
 * The body of `/especies.json`: what the universe says of each instrument, in the order given, as
 * JSON. It tells what a quote does not: the name, the market, and the unit of the change.
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
