import type { Signal } from '@preact/signals';

import { comparedMax, type InstrumentPlace, type RangeCode } from '../../places/route.ts';
import { Button } from '../../ui/button.tsx';
import { ExportButton } from '../../ui/export-dialog.tsx';
import type { ChartStyle } from '../../chart/drawing/bars.ts';
import { chartStyle } from '../../chart/drawing/chart-frame.tsx';
import { dollarOf } from '../../chart/figures/conversion.ts';
import { ComparedTickers } from './compared-tickers.tsx';
import { CurrencyChoice } from '../../chart/figures/currency-choice.tsx';
import { OverlayChoice } from './overlay-choice.tsx';
import { rangeChoices } from '../../chart/series/range.ts';
import { seriesTable } from '../../chart/figures/exported-rows.ts';
import { Segments, type Choice } from '../../ui/segments.tsx';
import type { ChartSeries } from '../../chart/series/use-chart-series.ts';
import { ToolSheet } from '../../ui/phone/sheet.tsx';
import type { ModeCode } from '../../places/chart-choices.ts';
import { goTo } from '../../places/location.ts';
import { SwapIcon } from '../../ui/icons.tsx';
import type { Adjustment } from '../../market/api/quote.ts';

const styles: readonly Choice<ChartStyle>[] = [
  { value: 'candles', name: 'Velas' },
  { value: 'line', name: 'Línea' },
];

interface Props {
  readonly place: InstrumentPlace;
  readonly onChange: (changes: Partial<InstrumentPlace>) => void;
}

/** The controls of a chart: what it shows, how it draws it, and the download of the range. */
export function ChartToolbar({
  place,
  series,
  onChange,
  onRange,
  isMarking,
}: Props & {
  readonly series: ChartSeries;
  readonly onRange: (range: RangeCode) => void;
  /** Whether the next click on the chart marks a level. Undefined for a chart that can have none. */
  readonly isMarking: Signal<boolean> | undefined;
}) {
  const { ticker, compared, range, adjustment } = place;
  const { rows } = series;
  const shown = [
    ...(series.isQuotient ? [place.mode] : []),
    ...(series.isConverted ? [place.currency] : []),
  ];
  const kind = series.isIntraday || adjustment === 'ninguno' ? [] : [adjustment];
  return (
    <div class="screen-only bar gap-3">
      <Segments
        label="Rango"
        class="ranges"
        choices={rangeChoices}
        chosen={range}
        onChoose={onRange}
      />
      <ToolSheet class="history-tools">
        {compared.length === 0 ? (
          <Segments
            label="Dibujo"
            choices={styles}
            chosen={chartStyle.value}
            onChoose={(chosen) => (chartStyle.value = chosen)}
          />
        ) : (
          <ModeChoice place={place} onChange={onChange} />
        )}
        {!series.isIntraday && <AdjustmentChoice place={place} onChange={onChange} />}
        <CurrencyChoice
          currency={place.currency}
          onChoose={(chosen) => onChange({ currency: chosen })}
        />
        <OverlayChoice place={place} onChange={onChange} />
        <Button
          look="small"
          aria-label="Escala log."
          title="Escala logarítmica"
          aria-pressed={place.isLog}
          onClick={() => onChange({ isLog: !place.isLog })}
        >
          Log.
        </Button>
        {isMarking !== undefined && (
          <Button
            look="small"
            aria-label="Marcar nivel"
            aria-pressed={isMarking.value}
            title="El próximo clic en el gráfico, o Enter, marca un nivel"
            onClick={() => (isMarking.value = !isMarking.value)}
          >
            Nivel
          </Button>
        )}
        <ComparedTickers
          ticker={ticker}
          compared={compared}
          max={comparedMax}
          onChange={(tickers) => onChange({ compared: tickers })}
        />
        <ExportButton
          title="Descargar el rango"
          name={[ticker, ...compared, ...shown, range, ...kind].join('-')}
          hint={rangeHint(rows.length, series, place)}
          isEmpty={rows.length === 0}
          tableOf={() => seriesTable(rows)}
          jsonOf={() => rows}
        >
          Descargar
        </ExportButton>
      </ToolSheet>
    </div>
  );
}

function rangeHint(
  count: number,
  { isIntraday, isQuotient, isConverted }: ChartSeries,
  { currency }: InstrumentPlace,
): string {
  if (count === 0) return 'El rango no tiene filas.';
  const isAsServed = !isQuotient && !isConverted;
  return [
    `El rango tiene ${count === 1 ? '1 fila' : `${count} filas`}${isAsServed ? ', como en la API' : ''}.`,
    isConverted && `Los precios en pesos están divididos por ${dollarOf(currency)}.`,
    isConverted && !isQuotient && 'La columna «dolar» tiene el divisor.',
    !isIntraday && 'La rueda en curso no se incluye.',
    'Los números no se redondean.',
  ]
    .filter((sentence) => sentence !== false)
    .join(' ');
}

const modes: readonly Choice<ModeCode>[] = [
  { value: 'variacion', name: 'Variación' },
  { value: 'cociente', name: 'Cociente' },
];

/** Selects how compared instruments are shown. The two of a pair can be swapped. */
function ModeChoice({ place, onChange }: Props) {
  const { ticker, compared, mode } = place;
  const [other, ...others] = compared;
  const canSwap = mode !== 'variacion' && other !== undefined && others.length === 0;
  return (
    <div class="row gap-2">
      <Segments
        label="Comparación"
        choices={modes}
        chosen={mode}
        onChoose={(chosen) => onChange({ mode: chosen })}
      />
      {canSwap && (
        <Button
          look="small"
          aria-label={`Invertir: ${other} con ${ticker}`}
          title="Invertir"
          onClick={() => goTo({ ...place, ticker: other, compared: [ticker] })}
        >
          <SwapIcon />
        </Button>
      )}
    </div>
  );
}

const adjustments: readonly Required<Omit<Choice<Adjustment>, 'short'>>[] = [
  {
    value: 'ninguno',
    name: 'Sin ajustar',
    meaning: 'Los precios tal como se operaron. Un split se ve como un salto.',
  },
  {
    value: 'splits',
    name: 'Por splits',
    meaning:
      'Los precios y volúmenes anteriores a un split, un dividendo en acciones o un cambio de ratio se expresan en unidades actuales.',
  },
  {
    value: 'total',
    name: 'Total',
    meaning:
      'Además, los precios anteriores a un dividendo en efectivo se reducen en la proporción del dividendo. La serie muestra el rendimiento con dividendos reinvertidos.',
  },
];
const helpId = 'ajuste-ayuda';

/** Selects the adjustment of daily prices, with an explanation on request. */
function AdjustmentChoice({ place, onChange }: Props) {
  return (
    <div class="row gap-2">
      <Segments
        label="Ajuste"
        choices={adjustments}
        chosen={place.adjustment}
        onChoose={(chosen) => onChange({ adjustment: chosen })}
      />
      <Button look="small" popovertarget={helpId} aria-label="Qué es el ajuste">
        ?
      </Button>
      <div id={helpId} popover="auto" class="help pop">
        <dl class="terms stack gap-5">
          {adjustments.map(({ name, meaning }) => (
            <div key={name}>
              <dt>{name}</dt>
              <dd>{meaning}</dd>
            </div>
          ))}
        </dl>
      </div>
    </div>
  );
}
