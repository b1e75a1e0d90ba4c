import { useSignal } from '@preact/signals';

import { Dialog } from '../../ui/dialog.tsx';
import { ListIcon } from '../../ui/icons.tsx';
import { addList, setMember, tickerLists } from './stored-lists.ts';
import { listsMax, nameLengthMax, nameProblem } from './ticker-lists.ts';

/** Adds an instrument to the lists of this browser, or removes it. */
export function ListMenu({ ticker }: { readonly ticker: string }) {
  const isOpen = useSignal(false);
  const close = () => {
    isOpen.value = false;
  };
  return (
    <>
      <button
        type="button"
        class="button button-small"
        aria-haspopup="dialog"
        onClick={() => {
          isOpen.value = true;
        }}
      >
        <ListIcon />
        <span class="roomy-only">Listas</span>
      </button>
      <Dialog title={`${ticker} en mis listas`} isOpen={isOpen.value} onClose={close}>
        <Memberships ticker={ticker} />
        <div class="dialog-actions">
          <button type="button" class="button button-primary" onClick={close}>
            Listo
          </button>
        </div>
      </Dialog>
    </>
  );
}

function Memberships({ ticker }: { readonly ticker: string }) {
  const lists = tickerLists.value;
  return (
    <>
      {lists.length === 0 && <p class="muted">Todavía no hay listas.</p>}
      <ul class="choice-list" aria-label="Listas">
        {lists.map(({ name, tickers }) => {
          const isMember = tickers.includes(ticker);
          return (
            <li key={name}>
              <label class="check">
                <input
                  type="checkbox"
                  checked={isMember}
                  onChange={() => setMember(name, ticker, !isMember)}
                />
                <span>{name}</span>
              </label>
            </li>
          );
        })}
      </ul>
      {lists.length < listsMax && <NewList ticker={ticker} />}
    </>
  );
}

function NewList({ ticker }: { readonly ticker: string }) {
  const text = useSignal('');
  const problem = nameProblem(tickerLists.value, text.value);
  const create = (event: Event) => {
    event.preventDefault();
    if (problem !== undefined) return;
    addList({ name: text.value.trim(), tickers: [ticker] });
    text.value = '';
  };
  return (
    <form class="field" onSubmit={create}>
      <label for="new-list">Lista nueva con {ticker}</label>
      <span class="field-row">
        <input
          id="new-list"
          class="input"
          autocomplete="off"
          maxLength={nameLengthMax}
          value={text.value}
          onInput={(event) => {
            text.value = event.currentTarget.value;
          }}
        />
        <button type="submit" class="button" disabled={problem !== undefined}>
          Crear
        </button>
      </span>
      <span class="field-problem" role="status">
        {text.value.trim() === '' ? '' : problem}
      </span>
    </form>
  );
}
