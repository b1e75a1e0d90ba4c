import { modeCodes, type ModeCode } from '../../places/chart-choices.ts';
import { goTo } from '../../places/location.ts';
import type { InstrumentPlace } from '../../places/route.ts';
import { SwapIcon } from '../../ui/icons.tsx';
import { Segments } from '../../ui/segments.tsx';

const names: Readonly<Record<ModeCode, string>> = {
  variacion: 'Variación',
  cociente: 'Cociente',
};
const choices = modeCodes.map((value) => ({ value, name: names[value] }));

/** Selects how compared instruments are shown. The two of a pair can be swapped. */
export function ModeChoice({
  place,
  onChange,
}: {
  readonly place: InstrumentPlace;
  readonly onChange: (changes: Partial<InstrumentPlace>) => void;
}) {
  const { ticker, compared, mode } = place;
  const [other, ...others] = compared;
  const canSwap = mode !== 'variacion' && other !== undefined && others.length === 0;
  return (
    <div class="mode">
      <Segments
        label="Comparación"
        choices={choices}
        chosen={mode}
        onChoose={(chosen) => onChange({ mode: chosen })}
      />
      {canSwap && (
        <button
          type="button"
          class="button button-small"
          aria-label={`Invertir: ${other} con ${ticker}`}
          title="Invertir"
          onClick={() => goTo({ ...place, ticker: other, compared: [ticker] })}
        >
          <SwapIcon />
        </button>
      )}
    </div>
  );
}
