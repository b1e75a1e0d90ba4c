import { useComputed, type ReadonlySignal } from '@preact/signals';
import { useMemo, useRef } from 'preact/hooks';

import { rangeChoices, rangeNames } from '../../chart/series/range.ts';
import { useSeriesStore } from '../../chart/series/use-series.ts';
import { isLost, silentSince } from '../../market/connection.ts';
import { useBoard, type ViewProps } from '../state/board-context.ts';
import { formatSorting, parseSorting, sessionRange, type RangeCode } from '../../places/route.ts';
import { stopAmong, useArrowKeys } from '../../ui/screen/tab-stop.ts';
import { Segments } from '../../ui/segments.tsx';
import { Select } from '../../ui/select.tsx';
import { useViewWatch, useInView, type ViewWatch } from '../../ui/screen/use-in-view.ts';
import { changeLook, rangeOf } from '../state/board-look.ts';
import { EmptyBoard } from '../state/empty-board.tsx';
import { useKeptScroll } from '../state/use-kept-scroll.ts';
import styles from '../../styles/views.css?inline';
import { addStyles } from '../../ui/screen/add-styles.ts';
import { columns } from '../../market/columns.ts';
import { setSorting, sorting, instrumentAddress } from '../state/board-state.ts';
import type { Sorting } from '../../market/sort-rows.ts';
import type { SeriesStore } from '../../chart/series/series-store.ts';
import { wayOf, formatChange, formatDay, formatPrice } from '../../market/format/numbers.ts';
import { quoteTexts } from '../../market/figures/quote-texts.ts';
import { freshnessOf } from '../../market/freshness.ts';
import { today } from '../../market/health-watch.ts';
import { changeUnitOf, instruments } from '../../market/instruments.ts';
import { drawPath, sessionSteps } from '../../market/session-path.ts';
import { useShownSeries } from '../dollars/use-shown-series.ts';
import { areaOf, figuresOf, rangeCard, sessionCard, type CardSeries } from './card-drawing.ts';

addStyles(styles);

/**
 * A chart for each instrument of the board. All of them have one range. The Tab key reaches one card, and
 * the arrow keys the others.
 */
export function ChartGrid({ place }: ViewProps) {
  const { shown } = useBoard();
  const range = rangeOf(place);
  const store = useSeriesStore();
  const view = useViewWatch();
  const sources: CardSources = { store, view, range };
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
        <span class="muted">
          {tickers.length === 1 ? '1 gráfico' : `${tickers.length} gráficos`}
        </span>
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
        {tickers.length === 0 && <EmptyBoard />}
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

/** The units of a drawing, which is stretched to the card. */
const box = { width: 300, height: 100 };

/** What all cards of a grid have. */
interface CardSources {
  readonly store: SeriesStore;
  readonly view: ViewWatch;
  readonly range: RangeCode;
}

interface ChartProps {
  readonly ticker: string;
  readonly sources: CardSources;
}

/**
 * One instrument of the grid: its price, its change and a chart. The chart is drawn, and its series
 * requested, while the card is in view.
 */
function ChartCard({
  ticker,
  sources,
  focusable,
}: ChartProps & {
  /** The ticker of the only card that the Tab key reaches. */
  readonly focusable: ReadonlySignal<string | undefined>;
}) {
  const { range, view } = sources;
  const card = useRef<HTMLLIElement>(null);
  const isInView = useInView(view, card).value;
  const isFocusable = useComputed(() => focusable.value === ticker).value;
  const Chart = range === sessionRange ? SessionChart : RangeChart;
  return (
    <li class="chart-card panel column gap-2" ref={card}>
      <CardTitle ticker={ticker} sources={sources} isFocusable={isFocusable} />
      {isInView && <Chart ticker={ticker} sources={sources} />}
    </li>
  );
}

function CardTitle({
  ticker,
  sources: { range },
  isFocusable,
}: ChartProps & { readonly isFocusable: boolean }) {
  const { live } = useBoard();
  const quote = live.quote(ticker).value;
  const { name, freshness, price, change, way } = quoteTexts(ticker, quote);
  return (
    <div class={`card-title beside is-${freshness}`}>
      <a
        class="plain strong clip"
        href={instrumentAddress(ticker, range)}
        data-ticker={ticker}
        tabIndex={isFocusable ? 0 : -1}
      >
        {ticker}
      </a>
      <span class="card-price strong">{price}</span>
      <span class="hint clip" title={name}>
        {name}
      </span>
      {freshness === 'earlier' ? (
        <span class="hint" title="De una rueda anterior">
          {change}
        </span>
      ) : (
        <span class={`change small ${way}`}>{change}</span>
      )}
    </div>
  );
}

/** The path of the session, which the request of the whole board has. */
function SessionChart({ ticker }: ChartProps) {
  const { live } = useBoard();
  const path = live.path(ticker).value;
  const quote = live.quote(ticker).peek();
  if (path === undefined) {
    const isKnown = live.moment.value > 0 && !isLost.value;
    return <CardText text={isKnown ? 'Sin recorrido.' : ''} />;
  }
  const previous = quote?.fecha === path.day ? quote.anterior : undefined;
  return (
    <CardChart
      ticker={ticker}
      card={sessionCard(path, previous, sessionSteps(ticker, path))}
      name={`Rueda de ${ticker}`}
      day={path.day}
      isGrey={quote !== undefined && freshnessOf(quote) !== 'current'}
    />
  );
}

/** The bars or the closes of a range. It follows the quote at most once a second. */
function RangeChart({ ticker, sources: { store, range } }: ChartProps) {
  const { live } = useBoard();
  void live.moment.value;
  const quote = live.quote(ticker).peek();
  const { bars, message } = useShownSeries(store, { ticker, range, live, isWanted: true });
  const card = useMemo(() => rangeCard(bars ?? []), [bars]);
  if (bars === undefined) return <CardText text={message ?? 'Cargando la serie…'} />;
  if (bars.length === 0) return <CardText text="No hay precios en este rango." />;
  return (
    <CardChart
      ticker={ticker}
      card={card}
      name={`${rangeNames[range]} de ${ticker}`}
      isGrey={quote !== undefined && freshnessOf(quote) === 'unknown'}
      hasChange
    />
  );
}

/** A drawing with its figures. */
function CardChart({
  ticker,
  card,
  name,
  day,
  isGrey,
  hasChange = false,
}: {
  readonly ticker: string;
  readonly card: CardSeries;
  readonly name: string;
  /** The session of a path, which is named if it is not that of today. */
  readonly day?: string;
  /** Whether it has no colours, because it is not known to be current. */
  readonly isGrey: boolean;
  /** Whether the figures have the change of the range, in place of its times. */
  readonly hasChange?: boolean;
}) {
  const figures = figuresOf(card);
  if (figures === undefined) return <CardText text="Sin precios." />;
  const { low, high, changePct } = figures;
  const { line, baseY } = drawPath(card, card.base, { ...box, steps: card.steps ?? 0 });
  const way = isGrey ? '' : wayOf(changePct ?? null, changeUnitOf(instruments.value.get(ticker)));
  const shownDay = day === undefined || day === today.value ? '' : `${formatDay(day)}, `;
  const text = `${name}: ${shownDay}${card.from} a ${card.to}`;
  return (
    <>
      <svg
        class={`card-chart ${way}`}
        viewBox={`0 -4 ${box.width} ${box.height + 8}`}
        preserveAspectRatio="none"
        role="img"
        aria-label={`${text}, mínimo ${formatPrice(low)}, máximo ${formatPrice(high)}`}
      >
        <path class="card-area" d={areaOf(line, box.height + 4)} />
        {baseY !== undefined && <path class="card-base" d={`M0,${baseY}H${box.width}`} />}
        <path d={line} />
      </svg>
      <p
        class={`card-figures row between muted ${hasChange ? 'card-range' : ''}`}
        aria-hidden="true"
      >
        {hasChange ? (
          <span>
            <span class={`change ${way}`}>{formatChange(changePct, 'percent')}</span> desde{' '}
            {card.from}
          </span>
        ) : (
          <span>
            {shownDay}
            {card.from} – {card.to}
          </span>
        )}
        <span>
          {formatPrice(low)} – {formatPrice(high)}
        </span>
      </p>
    </>
  );
}

function CardText({ text }: { readonly text: string }) {
  return <p class="card-text hint">{text}</p>;
}
