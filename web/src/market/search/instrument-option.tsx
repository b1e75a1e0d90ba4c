import type { InstrumentInfo, Quote } from '../api/quote.ts';
import { quoteTexts } from '../figures/quote-texts.ts';
import { unitNameOf } from '../format/unit-name.ts';

/** What the option of an instrument shows: its ticker, its name, its kind and its quote. */
export function InstrumentOption({
  info,
  quote,
}: {
  readonly info: InstrumentInfo;
  /** Undefined while it is not known. */
  readonly quote: Quote | undefined;
}) {
  const { freshness, price, change, way } = quoteTexts(info.especie, quote);
  return (
    <>
      <strong>{info.especie}</strong>
      <span class="search-name clip">{info.nombre}</span>
      <span class="search-kind hint whole">
        {kindNames[info.tipo] ?? info.tipo} · {info.mercado} · {unitNameOf(info)}
      </span>
      {quote !== undefined && (
        <span class={`search-quote is-${freshness}`}>
          <span>{price}</span>
          <span class={freshness === 'earlier' ? 'search-day' : `change ${way}`}>{change}</span>
        </span>
      )}
    </>
  );
}

/** The names of the kinds of instruments (`tipo` of the contract). */
const kindNames: Readonly<Record<string, string>> = {
  accion: 'Acción',
  cedear: 'CEDEAR',
  adr: 'ADR',
  etf: 'ETF',
  bono: 'Bono',
  'obligacion-negociable': 'Obligación negociable',
  letra: 'Letra',
  cripto: 'Cripto',
  indice: 'Índice',
  'tipo-de-cambio': 'Tipo de cambio',
  tasa: 'Tasa',
  brecha: 'Brecha',
  'riesgo-pais': 'Riesgo país',
};
