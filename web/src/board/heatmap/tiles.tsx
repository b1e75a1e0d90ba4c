import { useSignal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { useMemo } from 'preact/hooks';

import { formatChange, formatDay, type ChangeUnit } from '../../market/format/numbers.ts';
import { changeUnitOf, instruments } from '../../market/instruments.ts';
import { formatRoute } from '../../places/route.ts';
import { instrumentPage } from '../state/board-state.ts';
import type { LiveQuotes } from '../../market/live-quotes.ts';
import { nextPlace } from '../../ui/screen/next-place.ts';
import { useSize } from '../../ui/screen/use-size.ts';
import { PathDrawing } from '../../market/paths/path-drawing.tsx';
import type { SessionPaths } from '../../market/paths/session-paths.ts';
import { heatStep, tilesOf, type HeatGroup, type HeatTile } from './heat-tiles.ts';
import { tileLabel } from './tile-label.ts';
import { layoutTiles, leastHeight } from './tile-layout.ts';
import type { Rect } from './treemap.ts';

/** Time after which areas may change, in milliseconds: a map that always moves is unreadable. */
const areasMs = 5_000;

/**
 * The tiles of a map. Each is a link with a tooltip and a name. One of them is in the order of the Tab
 * key; the arrow keys move between them.
 */
export function Tiles({
  group,
  scale,
  live,
  paths,
}: {
  readonly group: HeatGroup;
  /** The change from which a tile has the strongest colour, in percent. */
  readonly scale: number;
  readonly live: LiveQuotes;
  readonly paths: SessionPaths;
}) {
  const { ref, width, height } = useSize<HTMLDivElement>();
  const tiles = tilesOf(group);
  const tickers = tiles.map(({ ticker }) => ticker);
  const focused = useSignal<string | undefined>(undefined);
  const areas = useMemo(
    () => {
      const weights = tiles.map(({ amount }) => (group.traded.length > 0 ? (amount ?? 0) : 1));
      const placed = layoutTiles(weights, { width, height }).flatMap((rect, at) => {
        const ticker = tickers[at];
        return ticker === undefined ? [] : [[ticker, rect] as const];
      });
      return new Map(placed);
    },
    // The order of the amounts does not matter: a tile keeps its place until the next division.
    [tickers.toSorted().join(','), width, height, Math.floor(Date.now() / areasMs)],
  );
  const stop =
    focused.value !== undefined && areas.has(focused.value) ? focused.value : [...areas.keys()][0];
  const move = (event: KeyboardEvent) => {
    const next = nextPlace(areas, stop ?? '', event.key);
    if (next === undefined || event.altKey || event.ctrlKey || event.metaKey) return;
    event.preventDefault();
    focused.value = next;
    ref.current?.querySelector<HTMLElement>(`[data-tile="${CSS.escape(next)}"]`)?.focus();
  };
  return (
    <div
      class="heat-map"
      ref={ref}
      role="group"
      aria-label="Mapa"
      style={{ '--map-least': `${leastHeight(tiles.length, width)}px` }}
      onKeyDown={move}
    >
      {tiles.map((tile) => {
        const area = areas.get(tile.ticker);
        return area === undefined ? null : (
          <Tile
            key={tile.ticker}
            tile={tile}
            scale={scale}
            area={area}
            isStop={tile.ticker === stop}
            onFocus={() => {
              focused.value = tile.ticker;
            }}
          >
            <PathDrawing
              ticker={tile.ticker}
              day={tile.day}
              previous={live.quote(tile.ticker)?.peek()?.anterior}
              paths={paths}
            />
          </Tile>
        );
      })}
    </div>
  );
}

function Tile({
  tile,
  scale,
  area,
  isStop,
  onFocus,
  children,
}: {
  readonly tile: HeatTile;
  readonly scale: number;
  readonly area: Rect;
  readonly isStop: boolean;
  readonly onFocus: () => void;
  /** The path of the session, for a tile with room for it. */
  readonly children: ComponentChildren;
}) {
  const { ticker } = tile;
  const info = instruments.value.get(ticker);
  const unit = changeUnitOf(info);
  const text = tileText(tile, unit);
  const { size, isWritten } = tileLabel(ticker, area);
  const name = `${ticker} ${text} · ${info?.nombre ?? ''}`;
  return (
    <a
      href={formatRoute(instrumentPage(ticker))}
      tabIndex={isStop ? 0 : -1}
      class={tileClass(tile, unit, scale)}
      data-tile={ticker}
      title={name}
      style={{ ...placeOf(area), fontSize: `${size}px` }}
      onFocus={onFocus}
    >
      {isWritten && <strong>{ticker}</strong>}
      {isWritten && <span>{text}</span>}
      {area.width >= pathWidthMin && area.height >= size * 2.6 + pathHeightMin && children}
    </a>
  );
}

/** The least size of the room for the path of a session in a tile, in pixels. */
const pathWidthMin = 96;
const pathHeightMin = 40;

function placeOf({ x, y, width, height }: Rect) {
  return { left: `${x}px`, top: `${y}px`, width: `${width}px`, height: `${height}px` };
}

/** What a tile says of its instrument. */
function tileText({ change, freshness, day }: HeatTile, unit: ChangeUnit | undefined): string {
  return freshness === 'earlier' && day !== undefined ? formatDay(day) : formatChange(change, unit);
}

/** The colour of a tile: only a change that is known to be of the session has one. */
function tileClass(
  { change, freshness }: HeatTile,
  unit: ChangeUnit | undefined,
  scale: number,
): string {
  return `tile tile${freshness === 'current' ? heatStep(change, unit, scale) : 0}`;
}
