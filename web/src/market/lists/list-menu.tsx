import { useSignal } from '@preact/signals';

import { Button } from '../../ui/button.tsx';
import { Check } from '../../ui/check.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { ListIcon } from '../../ui/icons.tsx';
import { TextInput } from '../../ui/text-input.tsx';
import { addList, setMember, tickerLists } from './stored-lists.ts';
import { listsMax, nameLengthMax, nameProblem } from './ticker-lists.ts';

/** Adds an instrument to the lists of this browser, or removes it. */
export function ListMenu({ ticker }: { readonly ticker: string }) {
  const isOpen = useSignal(false);
  return (
    <>
      <Button look="small" aria-haspopup="dialog" onClick={() => (isOpen.value = true)}>
        <ListIcon />
        <span class="roomy-only">Listas</span>
      </Button>
      <Dialog title={`${ticker} en mis listas`} isOpen={isOpen} end="Listo">
        <Memberships ticker={ticker} />
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
              <Check checked={isMember} onCheck={() => setMember(name, ticker, !isMember)}>
                {name}
              </Check>
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
        <TextInput
          id="new-list"
          maxLength={nameLengthMax}
          value={text.value}
          onType={(typed) => (text.value = typed)}
        />
        <Button type="submit" disabled={problem !== undefined}>
          Crear
        </Button>
      </span>
      <span class="field-problem" role="status">
        {text.value.trim() === '' ? '' : problem}
      </span>
    </form>
  );
}
