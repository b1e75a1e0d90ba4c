import { useSignal } from '@preact/signals';

import { usableKey } from '../../key/api-key.ts';
import { GripIcon } from '../../ui/icons.tsx';
import { MoveButtons } from '../../ui/order/move-buttons.tsx';
import { placeAt, useDragOrder } from '../../ui/order/use-drag-order.ts';
import { allInstruments } from '../instruments.ts';
import { InstrumentCombobox } from '../search/instrument-combobox.tsx';
import { moveItem } from './ticker-lists.ts';

/** Instruments in an order: to add, to move and to remove. Each change applies at once. */
export function TickerEditor({
  tickers,
  max,
  owner,
  label,
  hasFocus = false,
  onChange,
}: {
  readonly tickers: readonly string[];
  /** Maximum number of tickers. */
  readonly max: number;
  /** What has the tickers, in texts: `la lista`. */
  readonly owner: string;
  /** The name of the tickers for screen readers. */
  readonly label: string;
  /** Whether the search takes the focus when it appears. */
  readonly hasFocus?: boolean;
  /** Changes the tickers as they are when it is called: a drag changes them several times. */
  readonly onChange: (change: (tickers: readonly string[]) => readonly string[]) => void;
}) {
  /** Each added ticker empties the field of the search. */
  const additions = useSignal(0);
  const status = useSignal('');
  const startDrag = useDragOrder((ticker, target) =>
    onChange((now) => placeAt(now, ticker, target)),
  );
  const { value: known } = allInstruments;
  const add = (ticker: string) => {
    const isMember = tickers.includes(ticker);
    if (!isMember) onChange((now) => [...now, ticker].slice(0, max));
    status.value = `${ticker} ${isMember ? 'ya está en' : 'se agregó a'} ${owner}.`;
    additions.value += 1;
  };
  const remove = (ticker: string) => {
    onChange((now) => now.filter((one) => one !== ticker));
    status.value = `${ticker} se quitó de ${owner}.`;
  };
  return (
    <div class="list-members stack">
      {tickers.length >= max ? (
        <p class="hint">
          No se agregan más especies a {owner}: admite hasta {max}.
        </p>
      ) : (
        usableKey.value !== undefined && (
          <InstrumentCombobox
            key={additions.value}
            label="Agregar una especie"
            hasFocus={hasFocus || additions.value > 0}
            onTake={({ especie }) => add(especie)}
          />
        )
      )}
      <p class="hint" role="status">
        {status.value}
      </p>
      <ul class="choice-list" aria-label={label}>
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
              onMove={(by) => onChange((now) => moveItem(now, ticker, by))}
              removal={{ label: `Quitar ${ticker} de ${owner}`, onRemove: () => remove(ticker) }}
            />
          </li>
        ))}
      </ul>
    </div>
  );
}
