import { useSignal } from '@preact/signals';

import { usableKey } from '../../key/api-key.ts';
import { allInstruments } from '../../market/instruments.ts';
import { InstrumentCombobox } from '../../market/search/instrument-combobox.tsx';
import { GripIcon } from '../../ui/icons.tsx';
import { MoveButtons } from '../../ui/order/move-buttons.tsx';
import { useDragOrder } from '../../ui/order/use-drag-order.ts';
import {
  addToStrip,
  dropInStrip,
  moveInStrip,
  removeFromStrip,
  resetStrip,
  showStrip,
  strip,
} from './stored-strip.ts';
import { stripMax } from './strip-choice.ts';

/** Chooses the instruments of the strip and their order. Each change applies at once. */
export function StripEditor({ onClose }: { readonly onClose: () => void }) {
  const { tickers, isShown } = strip.value;
  /** Each added ticker empties the field of the search. */
  const additions = useSignal(0);
  const status = useSignal('');
  const key = usableKey.value;
  const add = (ticker: string) => {
    status.value = addToStrip(ticker)
      ? `${ticker} se agregó a la tira.`
      : `${ticker} ya está en la tira.`;
    additions.value += 1;
  };
  const remove = (ticker: string) => {
    removeFromStrip(ticker);
    status.value = `${ticker} se quitó de la tira.`;
  };
  return (
    <>
      <label class="check">
        <input
          type="checkbox"
          checked={isShown}
          onChange={(event) => showStrip(event.currentTarget.checked)}
        />
        <span>Mostrar la tira en todas las páginas</span>
      </label>
      <div class="list-members">
        {tickers.length >= stripMax ? (
          <p class="hint">La tira admite hasta {stripMax} especies.</p>
        ) : (
          key !== undefined && (
            <InstrumentCombobox
              key={additions.value}
              apiKey={key}
              label="Agregar una especie"
              hasFocus={additions.value > 0}
              onTake={({ especie }) => add(especie)}
            />
          )
        )}
        <p class="hint" role="status">
          {status.value}
        </p>
        <StripMembers tickers={tickers} onRemove={remove} />
      </div>
      <div class="dialog-actions">
        <button type="button" class="button" onClick={resetStrip}>
          Restablecer
        </button>
        <button type="button" class="button button-primary" onClick={onClose}>
          Listo
        </button>
      </div>
    </>
  );
}

function StripMembers({
  tickers,
  onRemove,
}: {
  readonly tickers: readonly string[];
  readonly onRemove: (ticker: string) => void;
}) {
  const startDrag = useDragOrder(dropInStrip);
  const { value: known } = allInstruments;
  return (
    <ul class="choice-list" aria-label="Especies de la tira">
      {tickers.map((ticker, at) => (
        <li key={ticker} data-ordered={ticker}>
          <span class="drag-handle" aria-hidden="true" onPointerDown={startDrag(ticker)}>
            <GripIcon />
          </span>
          <span class="choice-name">
            <strong>{ticker}</strong>{' '}
            <span class="hint">
              {known.size > 0 && !known.has(ticker)
                ? 'El servicio no tiene esta especie.'
                : known.get(ticker)?.nombre}
            </span>
          </span>
          <MoveButtons
            name={ticker}
            at={at}
            count={tickers.length}
            onMove={(by) => moveInStrip(ticker, by)}
            removal={{
              label: `Quitar ${ticker} de la tira`,
              onRemove: () => onRemove(ticker),
            }}
          />
        </li>
      ))}
    </ul>
  );
}
