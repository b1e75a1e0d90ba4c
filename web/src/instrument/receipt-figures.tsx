import type { DollarRow, InstrumentInfo } from '../market/api/quote.ts';
import { medianPath, withoutDollar } from '../market/facts/receipt-dollars.ts';
import { absent, formatChange, formatDay, formatPrice } from '../market/format/numbers.ts';
import { freshnessOf } from '../market/freshness.ts';
import { instruments } from '../market/instruments.ts';
import { useRows } from '../market/rows/use-rows.ts';
import { formatRoute, instrumentRoute } from '../places/route.ts';

/** What a depositary receipt represents, and the dollar that its price implies beside the median of all. */
export function ReceiptFigures({
  info: { especie, ratio, subyacente },
  apiKey,
}: {
  readonly info: InstrumentInfo;
  readonly apiKey: string;
}) {
  const path = `/dolares?base=${encodeURIComponent(especie)}`;
  const own = useRows(path, apiKey, calculationOf).value;
  const median = useRows(medianPath, apiKey, calculationOf).value?.get('mediana');
  const dollar = own?.get('cedear');
  const isKnown = subyacente !== undefined && instruments.value.has(subyacente);
  const age = dollar === undefined ? '' : `is-${freshnessOf({ especie, fecha: dollar.fecha })}`;
  return (
    <section class="receipt">
      <h2 class="visually-hidden">Certificado</h2>
      <dl class={`figures ${age}`}>
        <Figure name="Ratio" value={ratio ?? absent} />
        <div class="figure">
          <dt>Subyacente</dt>
          <dd>
            {subyacente !== undefined && isKnown ? (
              <a href={formatRoute(instrumentRoute(subyacente))}>{subyacente}</a>
            ) : (
              (subyacente ?? absent)
            )}
          </dd>
        </div>
        <Figure name="CCL implícito" value={formatPrice(dollar?.ultimo ?? undefined)} />
        <Figure name="Brecha con el mayorista" value={formatChange(dollar?.brecha, 'percent')} />
        <Figure name="Mediana de los CEDEARs" value={formatPrice(median?.ultimo ?? undefined)} />
        <Figure
          name="Diferencia con la mediana"
          value={formatChange(over(dollar, median), 'percent')}
        />
      </dl>
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
      {hora !== null && `, ${hora}`}. <a href="#/dolares">Todos los dólares</a>
    </p>
  );
}

/** By how many percent a dollar is above another one of its day. */
function over(one: DollarRow | undefined, other: DollarRow | undefined): number | undefined {
  const [value, base] = [one?.ultimo ?? undefined, other?.ultimo ?? undefined];
  if (value === undefined || base === undefined || other?.fecha !== one?.fecha) return undefined;
  return (value / base - 1) * 100;
}

function calculationOf({ calculo, dolar }: DollarRow): string {
  return calculo === 'implicito' ? `${calculo} ${dolar}` : calculo;
}

/** One value with its label. */
function Figure({ name, value }: { readonly name: string; readonly value: string }) {
  return (
    <div class="figure">
      <dt>{name}</dt>
      <dd>{value}</dd>
    </div>
  );
}
