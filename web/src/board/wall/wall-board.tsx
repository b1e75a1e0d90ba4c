import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';

import { shownUnit } from '../../chart/figures/conversion.ts';
import { quoteTexts } from '../../market/figures/quote-texts.ts';
import { isSimulated, serviceNow, outageText } from '../../market/health-watch.ts';
import { useBoard, type ViewProps } from '../state/board-context.ts';
import type { BoardPlace } from '../../places/route.ts';
import { instrumentAddress } from '../state/board-state.ts';
import { PathDrawing } from '../../market/figures/path-drawing.tsx';
import { BrokenLine } from '../../market/broken-line.tsx';
import { ConnectionMark } from '../../market/connection-mark.tsx';
import { EmptyBoard } from '../state/empty-board.tsx';
import { replaceRoute } from '../../places/location.ts';
import { Button } from '../../ui/button.tsx';
import { useSize } from '../../ui/screen/use-size.ts';
import { currencyOf, offWall } from '../state/board-look.ts';
import { enterFullScreen, keepScreenOn, leaveFullScreen } from './full-screen.ts';
import { wallWithPaths } from './wall-layout.ts';
import styles from '../../styles/views.css?inline';
import { addStyles } from '../../ui/screen/add-styles.ts';
import { formatClock } from '../../market/format/buenos-aires.ts';

addStyles(styles);

/** The width of a row without its ticker, in units of the text size. */
const figuresEm = 12.5;

/**
 * The board for a screen on a wall: ticker, price and change of each instrument, as large as the
 * screen allows, without the rest of the page. Escape leaves it.
 */
export function WallBoard({ place }: ViewProps) {
  const { name, live, shown } = useBoard();
  const { ref, width, height } = useSize<HTMLDivElement>();
  const currency = currencyOf(place);
  const tickers = shown.value;
  const longest = Math.max(4, ...tickers.map(({ length }) => length));
  const widthEm = figuresEm + Math.min(12, longest) * 0.72;
  const { columns, rows, fontPx, hasPaths } = wallWithPaths(tickers.length, widthEm, {
    width,
    height,
  });
  useLeaving(place);
  return (
    <div class="wall on-bar column">
      <header class="wall-bar bar on-bar">
        <strong>
          {name}
          {currency !== 'original' && ` en ${shownUnit({ moneda: 'ARS' }, currency)}`}
        </strong>
        {isSimulated.value && <span class="badge simulated">Precios simulados</span>}
        {outageText() !== undefined && <span class="badge outage">{outageText()}</span>}
        <span class="wall-state row gap-6">
          <WallClock />
          <ConnectionMark />
        </span>
        <span class="row gap-3">
          {document.fullscreenEnabled && (
            <Button look="bar" onClick={enterFullScreen}>
              Pantalla completa
            </Button>
          )}
          <Button look="bar" onClick={() => leave(place)}>
            Salir
          </Button>
        </span>
      </header>
      <BrokenLine live={live} />
      <div class="wall-frame" ref={ref} tabIndex={0} role="region" aria-label="Cotizaciones">
        {tickers.length === 0 ? (
          <EmptyBoard />
        ) : (
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
              tickers.map((ticker) => <WallRow key={ticker} ticker={ticker} hasPath={hasPaths} />)}
          </ul>
        )}
      </div>
    </div>
  );
}

function WallRow({ ticker, hasPath }: { readonly ticker: string; readonly hasPath: boolean }) {
  const { live } = useBoard();
  const quote = live.quote(ticker).value;
  const { price, change, way, freshness } = quoteTexts(ticker, quote);
  return (
    <li class={quote === undefined ? undefined : `is-${freshness}`}>
      <a class="plain strong clip" href={instrumentAddress(ticker)}>
        {ticker}
      </a>
      {hasPath && (
        <span class="wall-path">
          <PathDrawing ticker={ticker} day={quote?.fecha} previous={quote?.anterior} live={live} />
        </span>
      )}
      <span class="wall-price">{price}</span>
      <span class={`change ${way}`}>{change}</span>
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

/** The time of the service in Buenos Aires, to the second. */
function WallClock() {
  const now = useSignal(serviceNow());
  useEffect(() => {
    const timer = setInterval(() => {
      now.value = serviceNow();
    }, 1_000);
    return () => clearInterval(timer);
  }, [now]);
  return <time class="wall-clock">{formatClock(now.value)}</time>;
}
