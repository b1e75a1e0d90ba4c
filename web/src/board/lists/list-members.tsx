import { useSignal } from '@preact/signals';

import { instruments } from '../../market/instruments.ts';
import { InstrumentCombobox } from '../../market/search/instrument-combobox.tsx';
import { moveInList, setMember } from '../../market/lists/stored-lists.ts';
import { tickersMax, type TickerList } from '../../market/lists/ticker-lists.ts';
import { MoveButtons } from '../../ui/order/move-buttons.tsx';

/** The tickers of a list, to add, move and remove. Each change applies at once. */
export function ListMembers({
  list: { name, tickers },
  apiKey,
  hasFocus = false,
}: {
  readonly list: TickerList;
  readonly apiKey: string;
  /** Whether the search takes the focus when it appears. */
  readonly hasFocus?: boolean;
}) {
  /** Each added ticker empties the field of the search. */
  const additions = useSignal(0);
  const status = useSignal('');
  return (
    <div class="list-members">
      {tickers.length < tickersMax ? (
        <InstrumentCombobox
          key={additions.value}
          apiKey={apiKey}
          label="Agregar una especie"
          hasFocus={hasFocus || additions.value > 0}
          onTake={({ especie }) => {
            const isMember = tickers.includes(especie);
            setMember(name, especie, true);
            status.value = isMember
              ? `${especie} ya está en la lista.`
              : `${especie} se agregó a la lista.`;
            additions.value += 1;
          }}
        />
      ) : (
        <p class="hint">Una lista admite hasta {tickersMax} especies.</p>
      )}
      <p class="hint" role="status">
        {status.value}
      </p>
      <ul class="choice-list" aria-label={`Especies de «${name}»`}>
        {tickers.map((ticker, at) => (
          <li key={ticker}>
            <span class="choice-name">
              <strong>{ticker}</strong>{' '}
              <span class="hint">{instruments.value.get(ticker)?.nombre}</span>
            </span>
            <MoveButtons
              name={ticker}
              at={at}
              count={tickers.length}
              onMove={(by) => moveInList(name, ticker, by)}
              removal={{
                label: `Quitar ${ticker} de la lista`,
                onRemove: () => setMember(name, ticker, false),
              }}
            />
          </li>
        ))}
      </ul>
    </div>
  );
}
