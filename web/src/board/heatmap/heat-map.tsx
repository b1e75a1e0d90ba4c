import { useSignal } from '@preact/signals';
import type { ReadonlySignal } from '@preact/signals';
import { useMemo } from 'preact/hooks';

import { formatChange, formatDay } from '../../market/format/numbers.ts';
import type { ChangeUnit } from '../../market/format/numbers.ts';
import { freshnessOf } from '../../market/freshness.ts';
import { changeUnitOf, instruments } from '../../market/instruments.ts';
import type { LiveQuotes } from '../../market/live-quotes.ts';
import { formatRoute, instrumentRoute } from '../../places/route.ts';
import { Segments } from '../../ui/segments.tsx';
import { useSize } from '../../ui/use-size.ts';
import { PathDrawing } from '../paths/path-drawing.tsx';
import type { SessionPaths } from '../paths/session-paths.ts';
import { HeatTable } from './heat-table.tsx';
import { heatGroups, heatStep, heatSteps } from './heat-tiles.ts';
import type { HeatGroup, HeatTile } from './heat-tiles.ts';
import { treemap } from './treemap.ts';

/** Time after which areas may change, in milliseconds: a map that always moves is unreadable. */
const areasMs = 5_000;

/**
 * The heat map of a board: the area is the traded amount and the colour is the change. A table below
 * the map has the same data, for the keyboard and screen readers.
 */
export function HeatMap({
  live,
  paths,
  shown,
}: {
  readonly live: LiveQuotes;
  readonly paths: SessionPaths;
  readonly shown: ReadonlySignal<readonly string[]>;
}) {
  const chosen = useSignal<string | undefined>(undefined);
  const isLoaded = live.moment.value > 0;
  const known = instruments.value;
  const rows = live.rows(shown.value);
  const groups = heatGroups(rows, (ticker) => known.get(ticker)?.moneda, freshnessOf);
  const group = groups.find(({ currency }) => currency === chosen.value) ?? groups[0];
  if (!isLoaded) return null;
  if (group === undefined) return <p class="table-empty">No hay especies para mostrar.</p>;
  return (
    <section class="heat" aria-label="Mapa de calor">
      <div class="heat-bar">
        {groups.length > 1 && (
          <Segments
            label="Moneda"
            choices={groups.map(({ currency }) => ({ value: currency, name: currency || 'Otra' }))}
            chosen={group.currency}
            onChoose={(currency) => {
              chosen.value = currency;
            }}
          />
        )}
        <p class="hint">
          Superficie: {weightName(group)}. Color: variación. Las bajas están rayadas.
        </p>
        <ColourScale />
      </div>
      <Tiles group={group} live={live} paths={paths} />
      <HeatTable group={group} />
    </section>
  );
}

/** The colours of the changes, from the greatest fall to the greatest rise. */
function ColourScale() {
  return (
    <p class="hint heat-scale">
      −3&nbsp;% o menos
      <span aria-hidden="true">
        {heatSteps.map((step) => (
          <i key={step} class={`tile${step}`} />
        ))}
      </span>
      +3&nbsp;% o más
    </p>
  );
}

/** Without any traded amount, as in a panel of indices, all areas are equal. */
function tilesOf({ traded, others }: HeatGroup): readonly HeatTile[] {
  return traded.length > 0 ? traded : others.filter(({ day }) => day !== undefined);
}

/** What a tile says of its instrument. */
function tileText({ change, freshness, day }: HeatTile, unit: ChangeUnit | undefined): string {
  return freshness === 'earlier' && day !== undefined ? formatDay(day) : formatChange(change, unit);
}

/** The colour of a tile: only a change that is known to be of the session has one. */
function tileClass({ change, freshness }: HeatTile, unit: ChangeUnit | undefined): string {
  return `tile tile${freshness === 'current' ? heatStep(change, unit) : 0}`;
}

function weightName({ traded, others, currency }: HeatGroup): string {
  if (traded.length === 0) return 'igual para todas, porque no se conoce el monto operado';
  const { length: earlier } = others.filter(({ freshness }) => freshness === 'earlier');
  const left = [
    others.length > earlier && `${others.length - earlier} sin monto`,
    earlier > 0 && `${earlier} de ruedas anteriores`,
  ].filter((part) => part !== false);
  const only = left.length === 0 ? '' : `; solo en la tabla: ${left.join(' y ')}`;
  return `monto operado${currency === '' ? '' : ` en ${currency}`}${only}`;
}

function Tiles({
  group,
  live,
  paths,
}: {
  readonly group: HeatGroup;
  readonly live: LiveQuotes;
  readonly paths: SessionPaths;
}) {
  const { ref, width, height } = useSize<HTMLDivElement>();
  const tiles = tilesOf(group);
  const known = instruments.value;
  const tickers = tiles.map(({ ticker }) => ticker);
  const areas = useMemo(
    () => {
      const rects = treemap(
        tiles.map(({ amount }) => (group.traded.length > 0 ? (amount ?? 0) : 1)),
        { x: 0, y: 0, width, height },
      );
      return new Map(tickers.map((ticker, at) => [ticker, rects[at]]));
    },
    // The order of the amounts does not matter: a tile keeps its place until the next division.
    [tickers.toSorted().join(','), width, height, Math.floor(Date.now() / areasMs)],
  );
  return (
    <div class="heat-map" ref={ref} aria-hidden="true">
      {tiles.map((tile) => {
        const { ticker, day } = tile;
        const area = areas.get(ticker);
        if (area === undefined) return null;
        const unit = changeUnitOf(known.get(ticker));
        const size = fontSize(ticker, area);
        const text = tileText(tile, unit);
        return (
          <a
            key={ticker}
            href={formatRoute(instrumentRoute(ticker))}
            tabIndex={-1}
            class={tileClass(tile, unit)}
            data-tile={ticker}
            title={`${ticker} ${text} · ${known.get(ticker)?.nombre ?? ''}`}
            style={{
              left: `${area.x}px`,
              top: `${area.y}px`,
              width: `${area.width}px`,
              height: `${area.height}px`,
              fontSize: `${size}px`,
            }}
          >
            {size >= fontPxMin && <strong>{ticker}</strong>}
            {size >= fontPxMin && area.height >= size * 2.6 && <span>{text}</span>}
            {area.width >= pathWidthMin && area.height >= size * 2.6 + pathHeightMin && (
              <PathDrawing
                ticker={ticker}
                day={day}
                previous={live.quote(ticker)?.peek()?.anterior}
                paths={paths}
              />
            )}
          </a>
        );
      })}
    </div>
  );
}

/** The least size of the room for the path of a session in a tile, in pixels. */
const pathWidthMin = 96;
const pathHeightMin = 40;

/** Smaller texts are left out. The table has them. */
const fontPxMin = 11;
const fontPxMax = 30;

/** The size at which the ticker and a change fit into a tile, in pixels. */
function fontSize(
  ticker: string,
  { width, height }: { readonly width: number; readonly height: number },
): number {
  const characters = Math.max(7, ticker.length);
  return Math.min(
    fontPxMax,
    Math.floor((width - 6) / (characters * 0.64)),
    Math.floor(height / 1.4),
  );
}
