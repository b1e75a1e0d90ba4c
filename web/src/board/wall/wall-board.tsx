import { useComputed, type ReadonlySignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';

import type { Quote } from '../../market/api/quote.ts';
import { decimalsOf } from '../../market/columns.ts';
import { wayOf } from '../../market/format/direction.ts';
import { absent, formatChange, formatDay, formatPrice } from '../../market/format/numbers.ts';
import { freshnessOf } from '../../market/freshness.ts';
import { isSimulated } from '../../market/health-watch.ts';
import { changeUnitOf, instruments } from '../../market/instruments.ts';
import type { LiveQuotes } from '../../market/live-quotes.ts';
import { formatRoute, type BoardPlace } from '../../places/route.ts';
import { instrumentPage } from '../state/board-state.ts';
import { PathDrawing } from '../../market/paths/path-drawing.tsx';
import type { SessionPaths } from '../../market/paths/session-paths.ts';
import { BrokenLine } from '../../market/broken-line.tsx';
import { ConnectionMark } from '../../market/connection-mark.tsx';
import { outageText } from '../../market/outage-text.ts';
import { EmptyBoard } from '../state/empty-board.tsx';
import { replaceRoute } from '../../places/location.ts';
import { useSize } from '../../ui/screen/use-size.ts';
import { offWall } from '../state/board-look.ts';
import { enterFullScreen, keepScreenOn, leaveFullScreen } from './full-screen.ts';
import { WallClock } from './wall-clock.tsx';
import { wallWithPaths } from './wall-layout.ts';
import styles from '../../styles/views.css?inline';
import { addStyles } from '../../ui/screen/add-styles.ts';

addStyles(styles);

/** The width of a row without its ticker, in units of the text size. */
const figuresEm = 12.5;

/**
 * The board for a screen on a wall: ticker, price and change of each instrument, as large as the
 * screen allows, without the rest of the page. Escape leaves it.
 */
export function WallBoard({
  place,
  name,
  live,
  paths,
  shown,
}: {
  readonly place: BoardPlace;
  readonly name: string;
  readonly live: LiveQuotes;
  readonly paths: SessionPaths;
  readonly shown: ReadonlySignal<readonly string[]>;
}) {
  const { ref, width, height } = useSize<HTMLDivElement>();
  const tickers = shown.value;
  const longest = Math.max(4, ...tickers.map(({ length }) => length));
  const widthEm = figuresEm + Math.min(12, longest) * 0.72;
  const { columns, rows, fontPx, hasPaths } = wallWithPaths(tickers.length, widthEm, {
    width,
    height,
  });
  useLeaving(place);
  return (
    <div class="wall">
      <header class="wall-bar">
        <strong class="wall-name">{name}</strong>
        {isSimulated.value && <span class="wall-simulated">Precios simulados</span>}
        {outageText() !== undefined && <span class="wall-simulated">{outageText()}</span>}
        <span class="wall-state">
          <WallClock />
          <ConnectionMark />
        </span>
        <span class="wall-buttons">
          {document.fullscreenEnabled && (
            <button type="button" class="bar-button" onClick={enterFullScreen}>
              Pantalla completa
            </button>
          )}
          <button type="button" class="bar-button" onClick={() => leave(place)}>
            Salir
          </button>
        </span>
      </header>
      <BrokenLine live={live} />
      <div class="wall-frame" ref={ref} tabIndex={0} role="region" aria-label="Cotizaciones">
        <ul
          class={hasPaths ? 'wall-rows wall-paths' : 'wall-rows'}
          style={{
            fontSize: `${fontPx}px`,
            gridTemplateColumns: `repeat(${columns}, minmax(0, 1fr))`,
            gridTemplateRows: `repeat(${rows}, minmax(1.6em, 2.2em))`,
          }}
        >
          {width > 0 &&
            live.isLoaded.value &&
            tickers.map((ticker) => (
              <WallRow
                key={ticker}
                ticker={ticker}
                quote={live.quote(ticker)}
                paths={hasPaths ? paths : undefined}
              />
            ))}
        </ul>
        {tickers.length === 0 && <EmptyBoard live={live} />}
      </div>
    </div>
  );
}

function WallRow({
  ticker,
  quote: source,
  paths,
}: {
  readonly ticker: string;
  readonly quote: ReadonlySignal<Quote | undefined> | undefined;
  /** Undefined where there is no room for them. */
  readonly paths: SessionPaths | undefined;
}) {
  const quote = source?.value;
  const unit = useComputed(() => changeUnitOf(instruments.value.get(ticker))).value;
  const freshness = quote === undefined ? undefined : freshnessOf(quote);
  return (
    <li class={freshness === undefined ? undefined : `is-${freshness}`}>
      <a href={formatRoute(instrumentPage(ticker))}>{ticker}</a>
      {paths !== undefined && (
        <span class="wall-path">
          <PathDrawing
            ticker={ticker}
            day={quote?.fecha}
            previous={quote?.anterior}
            paths={paths}
          />
        </span>
      )}
      <span class="wall-price">
        {quote === undefined ? absent : formatPrice(quote.ultimo, decimalsOf(quote))}
      </span>
      <span
        class={`change ${freshness === 'earlier' ? '' : wayOf(quote?.variacion ?? null, unit)}`}
      >
        {quote !== undefined && freshness === 'earlier'
          ? formatDay(quote.fecha)
          : formatChange(quote?.variacion, unit)}
      </span>
    </li>
  );
}

/** Keeps the screen on, and leaves the wall with Escape or with the whole screen. */
function useLeaving(place: BoardPlace): void {
  useEffect(keepScreenOn, []);
  useEffect(() => {
    const onKey = ({ key }: KeyboardEvent) => {
      if (key === 'Escape' && document.querySelector('dialog[open]') === null) leave(place);
    };
    const onChange = () => {
      if (document.fullscreenElement === null) leave(place);
    };
    window.addEventListener('keydown', onKey);
    document.addEventListener('fullscreenchange', onChange);
    return () => {
      window.removeEventListener('keydown', onKey);
      document.removeEventListener('fullscreenchange', onChange);
    };
  }, [place]);
}

function leave(place: BoardPlace): void {
  leaveFullScreen();
  replaceRoute(offWall(place));
}
