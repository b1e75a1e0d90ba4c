import { useSignal } from '@preact/signals';

import { averageName } from '../../chart/figures/overlays.ts';
import {
  averageCode,
  averageKinds,
  averagesMax,
  indicatorCodes,
  isPeriods,
  periodsMax,
  periodsMin,
  type AverageChoice,
  type IndicatorCode,
} from '../../places/chart-choices.ts';
import type { InstrumentPlace } from '../../places/route.ts';
import { Button } from '../../ui/button.tsx';
import { Check } from '../../ui/check.tsx';
import { Chip } from '../../ui/chip.tsx';
import { Select } from '../../ui/select.tsx';
import { canBeWeighted } from '../../chart/figures/weighted-price.ts';

const kindNames: Readonly<Record<AverageChoice['kind'], string>> = {
  simple: 'Simple (SMA)',
  exponencial: 'Exponencial (EMA)',
};
/** The indicators with fixed periods, and what each says. */
const indicatorNames: Readonly<Record<IndicatorCode, string>> = {
  bollinger: 'Bandas de Bollinger (20, 2)',
  rsi: 'RSI (14)',
  macd: 'MACD (12, 26, 9)',
};
const usualPeriods = 20;
const popoverId = 'indicadores';

interface Props {
  readonly place: InstrumentPlace;
  readonly onChange: (changes: Partial<InstrumentPlace>) => void;
}

/** Selects the averages, the other indicators and the volume-weighted price of the chart. */
export function OverlayChoice({ place, onChange }: Props) {
  const { averages, indicators } = place;
  const isWeightable = canBeWeighted(place);
  const count = averages.length + indicators.length + (place.isWeighted && isWeightable ? 1 : 0);
  return (
    <div class="overlays">
      <Button look="small" popovertarget={popoverId}>
        Indicadores{count > 0 && ` (${count})`}
      </Button>
      <div id={popoverId} popover="auto" class="help pop" role="group" aria-label="Indicadores">
        <ul class="overlay-list stack gap-1" aria-label="Promedios del gráfico">
          {averages.map((average, at) => (
            <li key={averageCode(average)}>
              <Chip
                color={`var(--average-${at + 1})`}
                text={averageName(average)}
                removal={`Quitar ${averageName(average)}`}
                onRemove={() => onChange({ averages: averages.filter((one) => one !== average) })}
              />
            </li>
          ))}
        </ul>
        <AverageForm place={place} onChange={onChange} />
        {indicatorCodes.map((code) => (
          <Check
            key={code}
            checked={indicators.includes(code)}
            onCheck={(isChosen) => {
              const chosen = indicatorCodes.filter((one) =>
                one === code ? isChosen : indicators.includes(one),
              );
              onChange({ indicators: chosen });
            }}
          >
            {indicatorNames[code]}
          </Check>
        ))}
        <Check
          checked={place.isWeighted && isWeightable}
          disabled={!isWeightable}
          onCheck={(isWeighted) => onChange({ isWeighted })}
        >
          Precio promedio ponderado por volumen (VWAP)
          {!isWeightable && <span class="figure-note">En el rango «1d» de una sola especie.</span>}
        </Check>
      </div>
    </div>
  );
}

/** Adds an average. */
function AverageForm({ place: { averages }, onChange }: Props) {
  const kind = useSignal<AverageChoice['kind']>('simple');
  const periods = useSignal(String(usualPeriods));
  const problem = useSignal<string | undefined>(undefined);
  if (averages.length === averagesMax) {
    return <p class="hint">El gráfico tiene {averagesMax} promedios, el máximo.</p>;
  }
  const add = (event: Event) => {
    event.preventDefault();
    const wanted = { kind: kind.value, periods: Number(periods.value) };
    if (!isPeriods(wanted.periods)) {
      problem.value = `Los períodos son un número entero de ${periodsMin} a ${periodsMax}.`;
      return;
    }
    const isKnown = averages.some((one) => averageCode(one) === averageCode(wanted));
    problem.value = isKnown ? 'El gráfico ya tiene este promedio.' : undefined;
    if (!isKnown) onChange({ averages: [...averages, wanted] });
  };
  return (
    <form class="bar gap-3" onSubmit={add} noValidate>
      <Select
        aria-label="Promedio"
        choices={averageKinds.map((value) => ({ value, name: kindNames[value] }))}
        chosen={kind.value}
        onChoose={(chosen) => (kind.value = chosen)}
      />
      <input
        class="input"
        type="number"
        aria-label="Períodos"
        title="Períodos"
        min={periodsMin}
        max={periodsMax}
        step={1}
        value={periods.value}
        aria-invalid={problem.value !== undefined}
        onInput={(event) => {
          periods.value = event.currentTarget.value;
          problem.value = undefined;
        }}
      />
      <Button type="submit" look="small">
        Agregar
      </Button>
      <span class="field-problem" role="alert">
        {problem.value}
      </span>
    </form>
  );
}
