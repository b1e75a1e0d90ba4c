import { useSignal, type ReadonlySignal } from '@preact/signals';

import styles from '../../styles/curve.css?inline';
import type { Bonds } from '../../market/bonds/use-bonds.ts';
import { useTerms } from '../../market/bonds/use-terms.ts';
import { conventionNote } from '../../market/facts/conventions.ts';
import { formatPercent } from '../../market/format/numbers.ts';
import { freshnessOf } from '../../market/freshness.ts';
import { instruments } from '../../market/instruments.ts';
import type { LiveQuotes } from '../../market/live-quotes.ts';
import { formatRoute, instrumentRoute, type BoardPlace } from '../../places/route.ts';
import { addStyles } from '../../ui/screen/add-styles.ts';
import { Segments } from '../../ui/segments.tsx';
import { convention } from '../state/board-state.ts';
import { usualPoints } from './curve-layout.ts';
import { CurveLegend } from './curve-legend.tsx';
import { CurvePlot } from './curve-plot.tsx';
import { curveOf } from './curve-points.ts';
import { CurveTable } from './curve-table.tsx';
import { countReasons } from './curve-texts.ts';
import { byKind, chosenKind, hiddenFor, kindChoices } from './yield-kinds.ts';
import type { Family } from './families.ts';

addStyles(styles);

/**
 * The bonds of a board by their yields and durations, each family with a colour and a shape. A table for screen
 * readers has the same data.
 */
export function CurveView({
  place,
  apiKey,
  live,
  bonds,
  shown,
}: {
  readonly place: BoardPlace;
  readonly apiKey: string;
  readonly live: LiveQuotes;
  readonly bonds: Bonds;
  /** The tickers on the board, in order. */
  readonly shown: ReadonlySignal<readonly string[]>;
}) {
  const terms = useTerms(apiKey);
  const classes = useSignal<'una' | 'todas'>('una');
  const chosen = useSignal<ReadonlySet<Family> | undefined>(undefined);
  const hasAll = useSignal(false);
  const figures = bonds.value;
  const known = instruments.value;
  const curve = curveOf(
    figures === undefined || terms === undefined
      ? []
      : shown.value.map((ticker) => {
          const quote = live.quote(ticker)?.peek();
          return {
            ticker,
            quote,
            info: known.get(ticker),
            terms: terms.get(ticker),
            bond: figures.get(ticker) ?? null,
            isEarlier: quote !== undefined && freshnessOf(quote) === 'earlier',
          };
        }),
    classes.value === 'una',
  );
  const inDollars = hiddenFor('dolares');
  const hasDollars = curve.points.some(({ family }) => !inDollars.has(family));
  // Until families are chosen, the curve is that in dollars, if there is one.
  const hidden = chosen.value ?? (hasDollars ? inDollars : new Set());
  const visible = curve.points.filter(({ family }) => !hidden.has(family));
  const groups = byKind(visible).map(({ name, points }) => ({
    name,
    points: hasAll.value ? points : usualPoints(points),
  }));
  const outside = visible.filter((point) => !groups.some(({ points }) => points.includes(point)));
  const title = `TIR y duration modificada, ${conventionNote(convention.value)}`;
  const isLoading = figures === undefined || terms === undefined;
  return (
    <section class="curve" aria-label="Curva de rendimientos">
      <div class="curve-bar">
        <Segments
          label="TIR"
          choices={kindChoices}
          chosen={chosenKind(hidden)}
          onChoose={(kind) => {
            chosen.value = hiddenFor(kind);
          }}
        />
        <Segments
          label="Especies"
          choices={[
            {
              value: 'una',
              name: 'Una por bono',
              meaning: 'La que cotiza en dólar MEP, si la hay',
            },
            { value: 'todas', name: 'Todas' },
          ]}
          chosen={classes.value}
          onChoose={(value) => {
            classes.value = value;
          }}
        />
        <CurveLegend
          points={curve.points}
          hidden={hidden}
          onHide={(families) => {
            chosen.value = families;
          }}
        />
      </div>
      {groups.length === 0 ? (
        <div class="curve-room">
          <p class="table-empty">{isLoading ? 'Cargando la curva…' : emptyText(curve.points)}</p>
        </div>
      ) : (
        <div class="curve-plots">
          {groups.map(({ name, points }) => (
            <CurvePlot key={name} name={name} points={points} place={place} />
          ))}
        </div>
      )}
      <p class="hint curve-note">
        Cada línea ajusta su familia por mínimos cuadrados. La punteada es la del cierre anterior,
        estimada por la variación de los precios; la hay para las familias en dólares.
        {curve.missing.length > 0 && (
          <>
            {' '}
            Sin TIR: {curve.missing.length}. {countReasons(curve.missing)}.
          </>
        )}
        {outside.length > 0 && (
          <>
            {' '}
            Fuera del gráfico, por estar lejos de las demás:{' '}
            {outside.map(({ ticker, rate }, at) => (
              <span key={ticker}>
                {at > 0 && ', '}
                <a href={formatRoute(instrumentRoute(ticker))}>{ticker}</a> {formatPercent(rate)}
              </span>
            ))}
            .
          </>
        )}{' '}
        {(outside.length > 0 || hasAll.value) && (
          <button
            type="button"
            class="link-button"
            aria-pressed={hasAll.value}
            onClick={() => {
              hasAll.value = !hasAll.value;
            }}
          >
            Incluir todas en el gráfico
          </button>
        )}
      </p>
      <CurveTable curve={curve} outside={outside} title={title} />
    </section>
  );
}

/** Why nothing is drawn. */
function emptyText(points: readonly unknown[]): string {
  return points.length === 0
    ? 'Ninguna de estas especies es un bono con TIR, así que no hay nada que dibujar.'
    : 'Ninguna de estas especies es de las familias elegidas.';
}
