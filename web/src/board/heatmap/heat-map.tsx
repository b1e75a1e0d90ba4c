import { useSignal, type ReadonlySignal } from '@preact/signals';
import type { ComponentProps } from 'preact';
import type { InstrumentInfo } from '../../market/api/quote.ts';
import { formatPercent } from '../../market/format/numbers.ts';
import { freshnessOf } from '../../market/freshness.ts';
import { instruments } from '../../market/instruments.ts';
import type { LiveQuotes } from '../../market/live-quotes.ts';
import { PaletteButton } from '../../ui/palette-button.tsx';
import { Segments } from '../../ui/segments.tsx';
import type { SessionPaths } from '../../market/paths/session-paths.ts';
import { EmptyBoard } from '../state/empty-board.tsx';
import { HeatTable } from './heat-table.tsx';
import {
  heatGroups,
  heatKinds,
  heatSteps,
  scaleOf,
  tilesOf,
  type HeatGroup,
} from './heat-tiles.ts';
import { Tiles } from './tiles.tsx';
import styles from '../../styles/views.css?inline';
import { addStyles } from '../../ui/screen/add-styles.ts';

addStyles(styles);

/**
 * The heat map of a board: the area is the traded amount and the colour is the change. A table
 * for screen readers has the same data.
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
  if (group === undefined) return <EmptyBoard live={live} />;
  if (!isLoaded) return null;
  const scale = scaleOf(tilesOf(group));
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
        <ColourScale scale={scale} />
        <PaletteButton />
      </div>
      {tilesOf(group).length === 0 ? (
        <p class="table-empty">{noQuotesText}</p>
      ) : (
        <Kinds group={group} scale={scale} live={live} paths={paths} />
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
    <div class="heat-kinds">
      {kinds.map(({ kind, group: own, part }) => (
        <section key={kind} style={{ flexGrow: part }}>
          <h2>
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
    <p class="hint heat-scale">
      −{scale}&nbsp;% o menos
      <span aria-hidden="true">
        {heatSteps.map((step) => (
          <i key={step} class={`tile${step}`} />
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
