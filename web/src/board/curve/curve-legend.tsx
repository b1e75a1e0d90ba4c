import { familyCodes, families, type Family } from './families.ts';
import type { CurvePoint } from './curve-points.ts';
import { Marker } from './marker.tsx';

/** The families of a curve with their markers. Each is a button that hides it and shows it again. */
export function CurveLegend({
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
    <div class="curve-legend" role="group" aria-label="Familias">
      {familyCodes
        .filter((code) => counts.has(code))
        .map((code) => (
          <button
            key={code}
            type="button"
            class={`button button-small family-${code}`}
            aria-pressed={!hidden.has(code)}
            onClick={() => {
              const others = new Set(hidden);
              if (!others.delete(code)) others.add(code);
              onHide(others);
            }}
          >
            <Marker family={code} />
            {families[code]}
            <span class="muted">{counts.get(code)}</span>
          </button>
        ))}
    </div>
  );
}
