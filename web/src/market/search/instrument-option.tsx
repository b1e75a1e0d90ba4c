import type { InstrumentInfo, Quote } from '../api/quote.ts';
import { decimalsOf } from '../columns.ts';
import { wayOf } from '../format/direction.ts';
import { formatChange, formatDay, formatPrice } from '../format/numbers.ts';
import { unitNameOf } from '../format/unit-name.ts';
import { freshnessOf } from '../freshness.ts';
import { changeUnitOf } from '../instruments.ts';

/** What the option of an instrument shows: its ticker, its name, its kind and its quote. */
export function InstrumentOption({
  info,
  quote,
}: {
  readonly info: InstrumentInfo;
  /** Undefined while it is not known. */
  readonly quote: Quote | undefined;
}) {
  return (
    <>
      <strong>{info.especie}</strong>
      <span class="search-name">{info.nombre}</span>
      <span class="search-kind">
        {kindNames[info.tipo] ?? info.tipo} · {info.mercado} · {unitNameOf(info)}
      </span>
      {quote !== undefined && <OptionQuote info={info} quote={quote} />}
    </>
  );
}

function OptionQuote({ info, quote }: { readonly info: InstrumentInfo; readonly quote: Quote }) {
  const freshness = freshnessOf(quote);
  return (
    <span class={`search-quote is-${freshness}`}>
      <span>{formatPrice(quote.ultimo, decimalsOf(quote))}</span>
      {freshness === 'earlier' ? (
        <span class="search-day">{formatDay(quote.fecha)}</span>
      ) : (
        <span class={`change ${wayOf(quote.variacion, changeUnitOf(info))}`}>
          {formatChange(quote.variacion, changeUnitOf(info))}
        </span>
      )}
    </span>
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
