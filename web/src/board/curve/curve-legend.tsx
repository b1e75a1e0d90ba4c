import type { Signal } from '@preact/signals';

import { familyCodes, families, type Family } from './families.ts';
import type { CurvePoint } from './curve-points.ts';
import { Marker } from './marker.tsx';

/** The families of a curve with their markers. Each is a button that hides it and shows it again. */
export function CurveLegend({
  points,
  hidden,
}: {
  readonly points: readonly CurvePoint[];
  readonly hidden: Signal<ReadonlySet<Family>>;
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
            aria-pressed={!hidden.value.has(code)}
            onClick={() => {
              const others = new Set(hidden.value);
              if (!others.delete(code)) others.add(code);
              hidden.value = others;
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
