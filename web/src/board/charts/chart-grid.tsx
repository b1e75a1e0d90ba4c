import { useComputed } from '@preact/signals';

import { rangeChoices } from '../../chart/series/range.ts';
import { useSeriesStore } from '../../chart/series/use-series.ts';
import { silentSince } from '../../market/connection.ts';
import type { ViewProps } from '../state/view-props.ts';
import { formatSorting, parseSorting } from '../../places/route.ts';
import { stopAmong, useArrowKeys } from '../../ui/screen/tab-stop.ts';
import { Segments } from '../../ui/segments.tsx';
import { Select } from '../../ui/select.tsx';
import { useViewWatch } from '../../ui/screen/use-in-view.ts';
import { changeLook, rangeOf } from '../state/board-look.ts';
import { EmptyBoard } from '../state/empty-board.tsx';
import { useKeptScroll } from '../state/use-kept-scroll.ts';
import { ChartCard, type CardSources } from './chart-card.tsx';
import styles from '../../styles/charts.css?inline';
import { addStyles } from '../../ui/screen/add-styles.ts';
import { columns } from '../../market/columns.ts';
import { setSorting, sorting } from '../state/board-state.ts';
import type { Sorting } from '../../market/sort-rows.ts';

addStyles(styles);

/**
 * A chart for each instrument of the board. All of them have one range. The Tab key reaches one card, and
 * the arrow keys the others.
 */
export function ChartGrid({ place, live, shown }: ViewProps) {
  const range = rangeOf(place);
  const store = useSeriesStore();
  const view = useViewWatch();
  const sources: CardSources = { live, store, view, range };
  const tickers = shown.value;
  const { frame, onScroll } = useKeptScroll(tickers.length);
  const { focused, frame: keys } = useArrowKeys();
  const focusable = useComputed(() => stopAmong(shown.value, focused));
  return (
    <section class="charts view filling column" aria-label="Gráficos">
      <div class="charts-bar bar">
        <Segments
          label="Rango"
          class="ranges"
          choices={rangeChoices}
          chosen={range}
          onChoose={(wanted) => changeLook(place, { range: wanted })}
        />
        <OrderChoice isList={place.page === 'list'} />
        <p class="muted">{tickers.length === 1 ? '1 gráfico' : `${tickers.length} gráficos`}</p>
      </div>
      <div class="charts-frame" tabIndex={-1} ref={frame} onScroll={onScroll}>
        <ul
          class={silentSince.value === undefined ? 'chart-cards' : 'chart-cards is-unknown'}
          {...keys}
        >
          {tickers.map((ticker) => (
            <ChartCard key={ticker} ticker={ticker} sources={sources} focusable={focusable} />
          ))}
        </ul>
        {tickers.length === 0 && <EmptyBoard live={live} />}
      </div>
    </section>
  );
}

/** The orders that a grid without headings offers, by their codes in addresses. */
const orders = [
  { value: 'especie', name: 'Especie' },
  { value: '-variacion', name: 'Mayores subas' },
  { value: 'variacion', name: 'Mayores bajas' },
  { value: '-volumen', name: 'Mayor volumen' },
];

/** Selects the order of the charts. It is that of the table, which has more of them. */
function OrderChoice({ isList }: { readonly isList: boolean }) {
  const chosen = formatSorting(sorting.value);
  const offered = [{ value: '', name: isList ? 'De la lista' : 'Del panel' }, ...orders];
  const isOffered = offered.some(({ value }) => value === chosen);
  return (
    <label class="row small">
      <span class="muted">Orden</span>
      <Select
        choices={isOffered ? offered : [...offered, { value: chosen, name: nameOf(sorting.value) }]}
        chosen={chosen}
        onChoose={(code) => setSorting(parseSorting(code))}
      />
    </label>
  );
}

/** The name of an order that was chosen in the table. */
function nameOf(order: Sorting | undefined): string {
  const title = columns.get(order?.field ?? '')?.title ?? '';
  return `${title}, ${order?.isDescending === true ? 'de mayor a menor' : 'de menor a mayor'}`;
}
