import { useSignal } from '@preact/signals';

import { Button } from '../../ui/button.tsx';
import { Check } from '../../ui/check.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { ListIcon } from '../../ui/icons.tsx';
import { ListNameForm } from './list-name-form.tsx';
import { addList, changeTickers, tickerLists, listsMax } from './ticker-lists.ts';

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
              <Check
                checked={isMember}
                onCheck={() =>
                  changeTickers(name, (now) =>
                    isMember ? now.filter((one) => one !== ticker) : [...now, ticker],
                  )
                }
              >
                {name}
              </Check>
            </li>
          );
        })}
      </ul>
      {lists.length < listsMax && (
        <ListNameForm
          id="new-list"
          label={`Lista nueva con ${ticker}`}
          action="Crear"
          onName={(name) => addList({ name, tickers: [ticker] })}
        />
      )}
    </>
  );
}
