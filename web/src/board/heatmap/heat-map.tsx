import { useSignal } from '@preact/signals';
import type { ComponentProps } from 'preact';
import { useMemo } from 'preact/hooks';

import type { InstrumentInfo } from '../../market/api/quote.ts';
import { NotStored } from '../../market/broken-line.tsx';
import { isLost } from '../../market/connection.ts';
import {
  absent,
  formatChange,
  formatDay,
  formatPercent,
  formatVolume,
} from '../../market/format/numbers.ts';
import { freshnessOf } from '../../market/freshness.ts';
import { changeUnitOf, instruments } from '../../market/instruments.ts';
import { useBoard } from '../state/board-context.ts';
import { PaletteButton } from '../../ui/palette-button.tsx';
import { Segments } from '../../ui/segments.tsx';
import { EmptyBoard } from '../state/empty-board.tsx';
import {
  heatGroups,
  heatKinds,
  heatStep,
  heatSteps,
  scaleOf,
  tilesOf,
  type HeatGroup,
  type HeatTile,
} from './heat-tiles.ts';
import styles from '../../styles/views.css?inline';
import { addStyles } from '../../ui/screen/add-styles.ts';
import { HiddenTable } from '../../ui/table/framed-table.tsx';
import { quoteTexts } from '../../market/figures/quote-texts.ts';
import { instrumentAddress } from '../state/board-state.ts';
import { stopAmong, useArrowKeys } from '../../ui/screen/tab-stop.ts';
import { useSize } from '../../ui/screen/use-size.ts';
import { PathDrawing } from '../../market/figures/path-drawing.tsx';
import { layoutTiles, leastHeight, tileLabel, type Rect } from './tile-layout.ts';

addStyles(styles);

/**
 * The heat map of a board: the area is the traded amount and the colour is the change. A table
 * for screen readers has the same data.
 */
export function HeatMap() {
  const { live, shown } = useBoard();
  const chosen = useSignal<string | undefined>(undefined);
  const isLoaded = live.moment.value > 0;
  const known = instruments.value;
  const rows = live.rows(shown.value);
  const groups = heatGroups(rows, (ticker) => known.get(ticker)?.moneda, freshnessOf);
  const group = groups.find(({ currency }) => currency === chosen.value) ?? groups[0];
  if (group === undefined) return <EmptyBoard />;
  if (isLost.value && tilesOf(group).length === 0) return <NotStored />;
  if (!isLoaded) return null;
  const scale = scaleOf(tilesOf(group));
  return (
    <section class="heat view column content" aria-label="Mapa de calor">
      <div class="bar">
        {groups.length > 1 && (
          <Segments
            label="Moneda"
            choices={groups.map(({ currency }) => ({ value: currency, name: currency || 'Otra' }))}
            chosen={group.currency}
            onChoose={(currency) => (chosen.value = currency)}
          />
        )}
        <p class="hint">
          Superficie: {weightName(group)}. Color: variación. Las bajas están rayadas.
        </p>
        <ColourScale scale={scale} />
        <PaletteButton />
      </div>
      {tilesOf(group).length === 0 ? (
        <p class="table-empty">{noQuotesText}</p>
      ) : (
        <Kinds group={group} scale={scale} />
      )}
      <HeatTable group={group} />
    </section>
  );
}

/** The tiles of each kind of instruments, one below the other. A single kind has no heading. */
function Kinds({ group, ...rest }: ComponentProps<typeof Tiles>) {
  const known = instruments.value;
  const kinds = heatKinds(group, (ticker) => known.get(ticker)?.tipo);
  if (kinds.length < 2) return <Tiles group={group} {...rest} />;
  return (
    <div class="heat-kinds column fill gap-3">
      {kinds.map(({ kind, group: own, part }) => (
        <section key={kind} class="column gap-2" style={{ flexGrow: part }}>
          <h2 class="small">
            {kindNames[kind ?? 'otro']}{' '}
            {group.traded.length > 0 && <span class="muted">{formatPercent(part * 100)}</span>}
          </h2>
          <Tiles group={own} {...rest} />
        </section>
      ))}
    </div>
  );
}

const kindNames: Readonly<Record<InstrumentInfo['tipo'] | 'otro', string>> = {
  accion: 'Acciones',
  cedear: 'CEDEARs',
  adr: 'ADRs',
  etf: 'ETFs',
  bono: 'Bonos',
  letra: 'Letras',
  'obligacion-negociable': 'Obligaciones negociables',
  cripto: 'Criptomonedas',
  indice: 'Índices',
  'tipo-de-cambio': 'Dólar y otras monedas',
  tasa: 'Tasas',
  brecha: 'Brechas',
  'riesgo-pais': 'Riesgo país',
  otro: 'Otras',
};

/** The colours of the changes, from the greatest fall to the greatest rise on the scale of the day. */
function ColourScale({ scale }: { readonly scale: number }) {
  return (
    <p class="hint heat-scale row gap-3">
      −{scale}&nbsp;% o menos
      <span class="row gap-1" aria-hidden="true">
        {heatSteps.map((step) => (
          <i key={step} class={`tile${step}`} style={{ backgroundColor: `var(--tile${step})` }} />
        ))}
      </span>
      +{scale}&nbsp;% o más
    </p>
  );
}

/** Why nothing is drawn although there are instruments. */
const noQuotesText = 'Ninguna de estas especies tiene cotización, así que no hay nada que dibujar.';

function weightName({ traded, others, currency }: HeatGroup): string {
  const { length: earlier } = others.filter(({ freshness }) => freshness === 'earlier');
  if (traded.length === 0) {
    return others.every(({ freshness, day }) => freshness === 'earlier' || day === undefined)
      ? 'igual para todas, porque sus cotizaciones son de ruedas anteriores'
      : 'igual para todas, porque no se conoce el monto operado';
  }
  const left = [
    others.length > earlier && `${others.length - earlier} sin monto`,
    earlier > 0 && `${earlier} de ruedas anteriores`,
  ].filter((part) => part !== false);
  const only = left.length === 0 ? '' : `; fuera del mapa: ${left.join(' y ')}`;
  return `monto operado${currency === '' ? '' : ` en ${currency}`}, con un mínimo${only}`;
}

/** The data of a heat map, for screen readers. The first rows are the largest areas. */
function HeatTable({ group: { currency, traded, others } }: { readonly group: HeatGroup }) {
  const known = instruments.value;
  const total = traded.reduce((sum, { amount }) => sum + (amount ?? 0), 0);
  return (
    <HiddenTable
      caption="Datos del mapa"
      columns={[
        ['Especie', ({ ticker }) => ticker],
        [
          'Variación',
          ({ ticker, change }) => formatChange(change, changeUnitOf(known.get(ticker))),
        ],
        [currency === '' ? 'Monto' : `Monto (${currency})`, ({ amount }) => formatVolume(amount)],
        [
          'Parte',
          ({ freshness, amount }) =>
            formatPart(freshness === 'earlier' ? undefined : amount, total),
        ],
        ['Rueda', ({ day }) => (day === undefined ? absent : formatDay(day))],
      ]}
      rows={[...traded, ...others]}
    />
  );
}

/** The part of the total that an amount is, without a sign: `12,34 %`. */
function formatPart(amount: number | undefined, total: number): string {
  return formatPercent(amount === undefined || total === 0 ? undefined : (amount / total) * 100);
}

/** Time after which areas may change, in milliseconds: a map that always moves is unreadable. */
const areasMs = 5_000;

/**
 * The tiles of a map. Each is a link with a tooltip and a name. One of them is in the order of the Tab
 * key; the arrow keys move between them.
 */
function Tiles({
  group,
  scale,
}: {
  readonly group: HeatGroup;
  /** The change from which a tile has the strongest colour, in percent. */
  readonly scale: number;
}) {
  const { ref, width, height } = useSize<HTMLDivElement>();
  const tiles = tilesOf(group);
  const tickers = tiles.map(({ ticker }) => ticker);
  const { focused, frame } = useArrowKeys();
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
  const stop = stopAmong([...areas.keys()], focused);
  return (
    <div
      class="heat-map"
      ref={ref}
      role="group"
      aria-label="Mapa"
      style={{ '--map-least': `${leastHeight(tiles.length, width)}px` }}
      {...frame}
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
          />
        );
      })}
    </div>
  );
}

function Tile({
  tile: { ticker, change, freshness },
  scale,
  area,
  isStop,
}: {
  readonly tile: HeatTile;
  readonly scale: number;
  readonly area: Rect;
  readonly isStop: boolean;
}) {
  const { live } = useBoard();
  const quote = live.quote(ticker).peek();
  const { name = '', unit, change: text } = quoteTexts(ticker, quote);
  const { size, isWritten } = tileLabel(ticker, area);
  // Only a change that is known to be of the session has a colour.
  const step = freshness === 'current' ? heatStep(change, unit, scale) : 0;
  return (
    <a
      href={instrumentAddress(ticker)}
      tabIndex={isStop ? 0 : -1}
      class={`tile tile${step}`}
      data-ticker={ticker}
      title={`${ticker} ${text} · ${name}`}
      style={{
        ...placeOf(area),
        fontSize: `${size}px`,
        backgroundColor: `var(--tile${step})`,
      }}
    >
      {isWritten && <strong>{ticker}</strong>}
      {isWritten && <span>{text}</span>}
      {area.width >= pathWidthMin && area.height >= size * 2.6 + pathHeightMin && (
        <PathDrawing ticker={ticker} day={quote?.fecha} previous={quote?.anterior} live={live} />
      )}
    </a>
  );
}

/** The least size of the room for the path of a session in a tile, in pixels. */
const pathWidthMin = 96;
const pathHeightMin = 40;

function placeOf({ x, y, width, height }: Rect) {
  return { left: `${x}px`, top: `${y}px`, width: `${width}px`, height: `${height}px` };
}
