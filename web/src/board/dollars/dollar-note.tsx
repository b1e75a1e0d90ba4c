import { dollarOf, isInPesos } from '../../chart/figures/conversion.ts';
import { formatDay, formatPrice } from '../../market/format/numbers.ts';
import { today } from '../../market/health-watch.ts';
import { allInstruments, instruments } from '../../market/instruments.ts';
import { useBoard } from '../state/board-context.ts';
import type { DollarCode } from '../../places/chart-choices.ts';

/** By what the prices of a board are divided, and what is not converted. */
export function DollarNote({ currency }: { readonly currency: DollarCode }) {
  const { live } = useBoard();
  void live.moment.value;
  const { source } = live;
  const known = instruments.value;
  const ticker = dollarOf(currency) ?? '';
  if (allInstruments.value.size > 0 && !known.has(ticker)) {
    return (
      <p class="dollar-note muted clip">
        El servicio no tiene la especie {ticker}. Elegir otra moneda.
      </p>
    );
  }
  const dollar = source?.dollarQuote.value;
  if (source === undefined || dollar === undefined) {
    return (
      <p class="dollar-note muted clip">
        Sin precio de {ticker}: los precios en pesos no se convierten.
      </p>
    );
  }
  const missing = source.live
    .rows()
    .filter(
      ({ ticker: one, quote }) =>
        quote !== undefined && isInPesos(known.get(one)) && quote.fecha !== dollar.fecha,
    ).length;
  const time = dollar.fecha === today.value ? dollar.hora : formatDay(dollar.fecha);
  const text = `Precios en pesos divididos por ${ticker}: ${formatPrice(dollar.ultimo)}${
    time === undefined ? '' : ` (${time})`
  }. Sin apertura, mínimo ni máximo.${missing > 0 ? ` Sin dólar de la misma rueda: ${missing}.` : ''}`;
  return (
    <p class="dollar-note muted clip" title={text}>
      {text}
    </p>
  );
}
