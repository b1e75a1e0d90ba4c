import { adjustments } from '../../market/api/series-rows.ts';
import type { Adjustment } from '../../market/api/quote.ts';
import { Segments } from '../../ui/segments.tsx';

const names: Readonly<Record<Adjustment, string>> = {
  ninguno: 'Sin ajustar',
  splits: 'Por splits',
  total: 'Total',
};
const effects: Readonly<Record<Adjustment, string>> = {
  ninguno: 'Los precios tal como se operaron. Un split se ve como un salto.',
  splits:
    'Los precios y volúmenes anteriores a un split, un dividendo en acciones o un cambio de ratio se expresan en unidades actuales.',
  total:
    'Además, los precios anteriores a un dividendo en efectivo se reducen en la proporción del dividendo. La serie muestra el rendimiento con dividendos reinvertidos.',
};
const choices = adjustments.map((value) => ({ value, name: names[value] }));
const helpId = 'ajuste-ayuda';

/** Selects the adjustment of daily prices, with an explanation on request. */
export function AdjustmentChoice({
  adjustment,
  onChoose,
}: {
  readonly adjustment: Adjustment;
  readonly onChoose: (adjustment: Adjustment) => void;
}) {
  return (
    <div class="adjustment">
      <Segments label="Ajuste" choices={choices} chosen={adjustment} onChoose={onChoose} />
      <button
        type="button"
        class="help-button"
        popovertarget={helpId}
        aria-label="Qué es el ajuste"
      >
        ?
      </button>
      <div id={helpId} popover="auto" class="help">
        <dl>
          {adjustments.map((one) => (
            <div key={one}>
              <dt>{names[one]}</dt>
              <dd>{effects[one]}</dd>
            </div>
          ))}
        </dl>
      </div>
    </div>
  );
}
