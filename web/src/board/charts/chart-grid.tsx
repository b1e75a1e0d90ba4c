import { useComputed, useSignal, type ReadonlySignal } from '@preact/signals';
import { useRef } from 'preact/hooks';

import { shortRangeChoices } from '../../chart/series/range-choices.ts';
import { useSeriesStore } from '../../chart/series/use-series.ts';
import { silentSince } from '../../market/connection.ts';
import type { LiveQuotes } from '../../market/live-quotes.ts';
import type { BoardPlace } from '../../places/route.ts';
import { nextPlace } from '../../ui/screen/next-place.ts';
import { Segments } from '../../ui/segments.tsx';
import { useViewWatch } from '../../ui/screen/use-in-view.ts';
import type { SessionPaths } from '../../market/paths/session-paths.ts';
import { changeLook, rangeOf } from '../state/board-look.ts';
import { EmptyBoard } from '../state/empty-board.tsx';
import { useKeptScroll } from '../state/use-kept-scroll.ts';
import { ChartCard, type CardSources } from './chart-card.tsx';
import { OrderChoice } from './order-choice.tsx';
import styles from '../../styles/charts.css?inline';
import { addStyles } from '../../ui/screen/add-styles.ts';

addStyles(styles);

/**
 * A chart for each instrument of the board. All of them have one range. The Tab key reaches one card, and
 * the arrow keys the others.
 */
export function ChartGrid({
  place,
  apiKey,
  live,
  paths,
  shown,
}: {
  readonly place: BoardPlace;
  readonly apiKey: string;
  readonly live: LiveQuotes;
  readonly paths: SessionPaths;
  /** The tickers of the cards, in order. */
  readonly shown: ReadonlySignal<readonly string[]>;
}) {
  const range = rangeOf(place);
  const store = useSeriesStore(apiKey);
  const view = useViewWatch();
  const sources: CardSources = { live, paths, store, view, range };
  const tickers = shown.value;
  const { frame, onScroll } = useKeptScroll(tickers.length);
  const chosen = useSignal<string | undefined>(undefined);
  const focusable = useComputed(() => {
    const { value } = chosen;
    return value !== undefined && shown.value.includes(value) ? value : shown.value[0];
  });
  const list = useRef<HTMLUListElement>(null);
  const onKeyDown = (event: KeyboardEvent) => {
    const links = linksIn(list.current);
    const rects = new Map([...links].map(([ticker, link]) => [ticker, rectOf(link)] as const));
    const next = nextPlace(rects, tickerOf(event.target) ?? '', event.key);
    if (next === undefined || event.altKey || event.ctrlKey || event.metaKey) return;
    event.preventDefault();
    links.get(next)?.focus();
  };
  return (
    <section class="charts" aria-label="Gráficos">
      <div class="charts-bar">
        <Segments
          label="Rango"
          class="ranges"
          choices={shortRangeChoices}
          chosen={range}
          onChoose={(wanted) => changeLook(place, { range: wanted })}
        />
        <OrderChoice isList={place.page === 'list'} />
        <p class="muted">{tickers.length === 1 ? '1 gráfico' : `${tickers.length} gráficos`}</p>
      </div>
      <div class="charts-frame" tabIndex={-1} ref={frame} onScroll={onScroll}>
        <ul
          class={silentSince.value === undefined ? 'chart-cards' : 'chart-cards is-unknown'}
          ref={list}
          onKeyDown={onKeyDown}
          onFocusIn={(event) => {
            chosen.value = tickerOf(event.target);
          }}
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

function linksIn(list: HTMLElement | null): ReadonlyMap<string, HTMLElement> {
  const links = [...(list?.querySelectorAll<HTMLElement>('a[data-ticker]') ?? [])];
  return new Map(links.map((link) => [link.dataset['ticker'] ?? '', link]));
}

/** Cards have one size, so the places of their links are those of the cards. */
function rectOf(link: HTMLElement) {
  const { x, y, width, height } = (link.closest('li') ?? link).getBoundingClientRect();
  return { x, y, width, height };
}

function tickerOf(target: EventTarget | null): string | undefined {
  if (!(target instanceof Element)) return undefined;
  return target.closest<HTMLElement>('a[data-ticker]')?.dataset['ticker'];
}
