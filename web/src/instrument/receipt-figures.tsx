import type { DollarRow, InstrumentInfo } from '../market/api/quote.ts';
import {
  medianKey,
  medianPath,
  percentOver,
  receiptKey,
  receiptName,
  withoutDollar,
} from '../market/facts/receipt-dollars.ts';
import { Figures } from '../market/figures/quote-figures.tsx';
import { absent, formatChange, formatDay, formatPrice } from '../market/format/numbers.ts';
import { freshnessOf } from '../market/freshness.ts';
import { instruments } from '../market/instruments.ts';
import { useRows } from '../market/rows/use-rows.ts';
import { formatRoute, instrumentRoute } from '../places/route.ts';

/** What a depositary receipt represents, and the dollar that its price implies beside the median of all. */
export function ReceiptFigures({
  info: { especie, ratio, subyacente },
}: {
  readonly info: InstrumentInfo;
}) {
  const path = `/dolares?base=${encodeURIComponent(especie)}`;
  const own = useRows(path, receiptName).value;
  const median = useRows(medianPath, receiptName).value?.get(medianKey);
  const dollar = own?.get(receiptKey(especie));
  const isKnown = subyacente !== undefined && instruments.value.has(subyacente);
  const age = dollar === undefined ? '' : `is-${freshnessOf({ especie, fecha: dollar.fecha })}`;
  return (
    <section class="receipt stack">
      <h2 class="visually-hidden">Certificado</h2>
      <Figures
        class={age}
        figures={[
          ['Ratio', ratio ?? absent],
          [
            'Subyacente',
            isKnown ? (
              <a href={formatRoute(instrumentRoute(subyacente))}>{subyacente}</a>
            ) : (
              (subyacente ?? absent)
            ),
          ],
          ['CCL implícito', formatPrice(dollar?.ultimo ?? undefined)],
          ['Brecha con el mayorista', formatChange(dollar?.brecha, 'percent')],
          ['Mediana de los CEDEARs', formatPrice(median?.ultimo ?? undefined)],
          ['Diferencia con la mediana', formatChange(percentOver(dollar, median), 'percent')],
        ]}
      />
      {own !== undefined && <Note dollar={dollar} />}
    </section>
  );
}

function Note({ dollar }: { readonly dollar: DollarRow | undefined }) {
  if (dollar === undefined) return <p class="hint">Sin CCL implícito. {withoutDollar}.</p>;
  const { fecha, hora, numerador, denominador } = dollar;
  return (
    <p class="hint">
      CCL implícito: precio de {numerador} × ratio ÷ precio de {denominador}, {formatDay(fecha)}
      {hora !== null && `, ${hora}`}.{' '}
      <a href={formatRoute({ page: 'dollars' })}>Todos los dólares</a>
    </p>
  );
}
