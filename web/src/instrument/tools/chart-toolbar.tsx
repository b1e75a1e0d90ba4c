import type { Signal } from '@preact/signals';

import { comparedMax, type InstrumentPlace, type RangeCode } from '../../places/route.ts';
import { ExportButton } from '../../ui/export-dialog.tsx';
import { AdjustmentChoice } from './adjustment-choice.tsx';
import type { ChartStyle } from '../../chart/drawing/bars.ts';
import { chartStyle } from '../../chart/drawing/chart-style.ts';
import { dollarOf } from '../../chart/figures/conversion.ts';
import { ComparedTickers } from './compared-tickers.tsx';
import { CurrencyChoice } from '../../chart/figures/currency-choice.tsx';
import { ModeChoice } from './mode-choice.tsx';
import { OverlayChoice } from './overlay-choice.tsx';
import { shortRangeChoices } from '../../chart/series/range-choices.ts';
import { seriesTable } from '../../chart/series/series-table.ts';
import { Segments } from '../../ui/segments.tsx';
import type { ChartSeries } from '../../chart/series/use-chart-series.ts';
import { ToolSheet } from '../../ui/phone/sheet.tsx';

const styleChoices: readonly { readonly value: ChartStyle; readonly name: string }[] = [
  { value: 'candles', name: 'Velas' },
  { value: 'line', name: 'Línea' },
];

/** The controls of a chart: what it shows, how it draws it, and the download of the range. */
export function ChartToolbar({
  place,
  series,
  onChange,
  onRange,
  isMarking,
}: {
  readonly place: InstrumentPlace;
  readonly series: ChartSeries;
  readonly onChange: (changes: Partial<InstrumentPlace>) => void;
  readonly onRange: (range: RangeCode) => void;
  /** Whether the next click on the chart marks a level. Undefined for a chart that can have none. */
  readonly isMarking: Signal<boolean> | undefined;
}) {
  const { ticker, compared, range, adjustment } = place;
  const rows = series.rows.flat();
  const shown = [
    ...(series.isQuotient ? [place.mode] : []),
    ...(series.isConverted ? [place.currency] : []),
  ];
  const kind = series.isIntraday || adjustment === 'ninguno' ? [] : [adjustment];
  return (
    <div class="history-bar">
      <Segments
        label="Rango"
        class="ranges"
        choices={shortRangeChoices}
        chosen={range}
        onChoose={onRange}
      />
      <ToolSheet class="history-tools">
        {compared.length === 0 ? (
          <Segments
            label="Dibujo"
            choices={styleChoices}
            chosen={chartStyle.value}
            onChoose={(chosen) => {
              chartStyle.value = chosen;
            }}
          />
        ) : (
          <ModeChoice place={place} onChange={onChange} />
        )}
        {!series.isIntraday && (
          <AdjustmentChoice
            adjustment={adjustment}
            onChoose={(chosen) => onChange({ adjustment: chosen })}
          />
        )}
        <CurrencyChoice
          currency={place.currency}
          onChoose={(chosen) => onChange({ currency: chosen })}
        />
        <OverlayChoice place={place} onChange={onChange} />
        <button
          type="button"
          class="button button-small"
          aria-label="Escala log."
          title="Escala logarítmica"
          aria-pressed={place.isLog}
          onClick={() => onChange({ isLog: !place.isLog })}
        >
          Log.
        </button>
        {isMarking !== undefined && (
          <button
            type="button"
            class="button button-small"
            aria-label="Marcar nivel"
            aria-pressed={isMarking.value}
            title="El próximo clic en el gráfico, o Enter, marca un nivel"
            onClick={() => {
              isMarking.value = !isMarking.value;
            }}
          >
            Nivel
          </button>
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
