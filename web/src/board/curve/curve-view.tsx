import { useSignal } from '@preact/signals';

import styles from '../../styles/curve.css?inline';
import { useTerms } from '../../market/rows/use-rows.ts';
import { NotStored } from '../../market/broken-line.tsx';
import { isLost } from '../../market/connection.ts';
import { conventionNote } from '../../market/facts/conventions.ts';
import { absent, formatDay, formatFixed, formatPercent } from '../../market/format/numbers.ts';
import { freshnessOf } from '../../market/freshness.ts';
import { instruments } from '../../market/instruments.ts';
import { useBoard, type ViewProps } from '../state/board-context.ts';
import { formatRoute, instrumentRoute } from '../../places/route.ts';
import { Button } from '../../ui/button.tsx';
import { addStyles } from '../../ui/screen/add-styles.ts';
import { Segments } from '../../ui/segments.tsx';
import { convention } from '../state/board-state.ts';
import { usualPoints } from './curve-layout.ts';
import { CurvePlot, Marker } from './curve-plot.tsx';
import {
  countReasons,
  curveOf,
  type Curve,
  type CurvePoint,
  type Missing,
} from './curve-points.ts';
import {
  colourOf,
  byKind,
  chosenKind,
  families,
  familyCodes,
  hiddenFor,
  kindChoices,
  type Family,
} from './families.ts';
import { HiddenTable, type Column } from '../../ui/table/framed-table.tsx';

addStyles(styles);

/**
 * The bonds of a board by their yields and durations, each family with a colour and a shape. A table for screen
 * readers has the same data.
 */
export function CurveView({ place }: ViewProps) {
  const { live, bonds, shown } = useBoard();
  const terms = useTerms();
  const classes = useSignal<'una' | 'todas'>('una');
  const chosen = useSignal<ReadonlySet<Family> | undefined>(undefined);
  const hasAll = useSignal(false);
  const figures = bonds.value;
  const known = instruments.value;
  const curve = curveOf(
    figures === undefined || terms === undefined
      ? []
      : shown.value.map((ticker) => {
          const quote = live.quote(ticker).peek();
          return {
            ticker,
            quote,
            info: known.get(ticker),
            terms: terms.get(ticker),
            bond: figures.get(ticker) ?? null,
            isEarlier: freshnessOf(quote) === 'earlier',
          };
        }),
    classes.value === 'una',
  );
  const isLoading = figures === undefined || terms === undefined;
  const inDollars = hiddenFor('dolares');
  const hasDollars = curve.points.some(({ family }) => !inDollars.has(family));
  // Until families are chosen, the curve is that in dollars, if there is one.
  const hidden = chosen.value ?? (isLoading || hasDollars ? inDollars : new Set());
  const visible = curve.points.filter(({ family }) => !hidden.has(family));
  const groups = byKind(visible).map(({ name, points }) => ({
    name,
    points: hasAll.value ? points : usualPoints(points),
  }));
  const outside = visible.filter((point) => !groups.some(({ points }) => points.includes(point)));
  const title = `TIR y duration modificada, ${conventionNote(convention.value)}`;
  return (
    <section class="curve view column content" aria-label="Curva de rendimientos">
      <div class="curve-bar bar between">
        <Segments
          label="TIR"
          choices={kindChoices}
          chosen={chosenKind(hidden)}
          onChoose={(kind) => (chosen.value = hiddenFor(kind))}
        />
        <Segments
          label="Especies"
          choices={[
            {
              value: 'una',
              name: 'Una por bono',
              meaning: 'La que cotiza en dólar MEP, si la hay',
            },
            { value: 'todas', name: 'Todas las clases' },
          ]}
          chosen={classes.value}
          onChoose={(value) => (classes.value = value)}
        />
        <CurveLegend
          points={curve.points}
          hidden={hidden}
          onHide={(others) => (chosen.value = others)}
        />
      </div>
      {groups.length === 0 ? (
        <div class="curve-room panel fill">
          {isLoading && isLost.value ? (
            <NotStored />
          ) : (
            <p class="table-empty">{isLoading ? 'Cargando la curva…' : emptyText(curve.points)}</p>
          )}
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
          <Button
            look="link"
            aria-pressed={hasAll.value}
            onClick={() => (hasAll.value = !hasAll.value)}
          >
            Incluir todas en el gráfico
          </Button>
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

/** The families of a curve with their markers. Each is a button that hides it and shows it again. */
function CurveLegend({
  points,
  hidden,
  onHide,
}: {
  readonly points: readonly CurvePoint[];
  readonly hidden: ReadonlySet<Family>;
  readonly onHide: (families: ReadonlySet<Family>) => void;
}) {
  const counts = new Map<Family, number>();
  for (const { family } of points) counts.set(family, (counts.get(family) ?? 0) + 1);
  return (
    <div class="curve-legend row gap-3" role="group" aria-label="Familias">
      {familyCodes
        .filter((code) => counts.has(code))
        .map((code) => (
          <Button
            key={code}
            look="small"
            style={colourOf(code)}
            aria-pressed={!hidden.has(code)}
            onClick={() => {
              const others = new Set(hidden);
              if (!others.delete(code)) others.add(code);
              onHide(others);
            }}
          >
            <Marker family={code} />
            {families[code].name}
            <span class="muted">{counts.get(code)}</span>
          </Button>
        ))}
    </div>
  );
}

/** A column of a figure, of which a bond without a yield has none. */
function figure(name: string, textOf: (point: CurvePoint) => string): Column<CurvePoint | Missing> {
  return [name, (row) => ('reason' in row ? absent : textOf(row))];
}

/** The data of a curve, for screen readers: the bonds of each family by duration, and then those without a yield. */
function CurveTable({
  curve: { points, missing },
  outside,
  title,
}: {
  readonly curve: Curve;
  readonly outside: readonly CurvePoint[];
  /** The names of the figures with their convention. */
  readonly title: string;
}) {
  return (
    <HiddenTable
      caption={title}
      columns={[
        ['Especie', ({ ticker }) => ticker],
        figure('Familia', ({ family }) => families[family].name),
        figure('TIR', ({ rate }) => formatPercent(rate)),
        figure('Dur. mod.', ({ duration }) => formatFixed(duration, 2)),
        figure('Paridad', ({ bond }) => formatPercent(bond.paridad)),
        figure('Vto.', ({ bond }) => formatDay(bond.vencimiento)),
        [
          'Nota',
          (row) =>
            'reason' in row ? row.reason : outside.includes(row) ? 'Fuera del gráfico' : '',
        ],
      ]}
      rows={[...points, ...missing]}
    />
  );
}
