import { useSignal } from '@preact/signals';

import { openBackup } from '../../backup/backup-dialog.tsx';
import { usableKey } from '../../key/api-key.ts';
import { listRoute, panelRoute } from '../../places/route.ts';
import { goTo, replaceRoute } from '../../places/location.ts';
import { ListMembers } from './list-members.tsx';
import { moveList, removeList, tickerLists, updateList } from '../../market/lists/stored-lists.ts';
import { nameLengthMax, nameProblem, type TickerList } from '../../market/lists/ticker-lists.ts';
import { Button } from '../../ui/button.tsx';

/** Changes a list: its name, its tickers and the place of its tab. Each change applies at once. */
export function ListEditor({
  list,
  onClose,
}: {
  readonly list: TickerList;
  readonly onClose: () => void;
}) {
  const lists = tickerLists.value;
  const at = lists.indexOf(list);
  const key = usableKey.value;
  return (
    <>
      <NameForm key={list.name} list={list} />
      {key !== undefined && <ListMembers list={list} apiKey={key} />}
      <div class="field-row">
        <Button look="small" disabled={at === 0} onClick={() => moveList(list, -1)}>
          Mover la pestaña antes
        </Button>
        <Button look="small" disabled={at === lists.length - 1} onClick={() => moveList(list, 1)}>
          Mover después
        </Button>
        <button
          type="button"
          class="button button-small"
          title="Guardar o leer las listas, columnas y alertas"
          onClick={() => {
            onClose();
            openBackup();
          }}
        >
          Respaldo…
        </button>
      </div>
      <div class="dialog-actions">
        <DeleteButton list={list} onClose={onClose} />
        <Button look="primary" onClick={onClose}>
          Listo
        </Button>
      </div>
    </>
  );
}

function NameForm({ list }: { readonly list: TickerList }) {
  const text = useSignal(list.name);
  const problem = nameProblem(tickerLists.value, text.value, list.name);
  const rename = (event: Event) => {
    event.preventDefault();
    const name = text.value.trim();
    if (problem !== undefined || name === list.name) return;
    updateList(list.name, { name });
    replaceRoute(listRoute(name));
  };
  return (
    <form class="field" onSubmit={rename}>
      <label for="list-name">Nombre</label>
      <span class="field-row">
        <input
          id="list-name"
          class="input"
          autocomplete="off"
          maxLength={nameLengthMax}
          aria-invalid={problem !== undefined}
          aria-describedby="list-name-problem"
          value={text.value}
          onInput={(event) => (text.value = event.currentTarget.value)}
        />
        <Button type="submit" disabled={problem !== undefined || text.value.trim() === list.name}>
          Cambiar
        </Button>
      </span>
      <span id="list-name-problem" class="field-problem" role="status">
        {problem}
      </span>
    </form>
  );
}

/** Deletes the list at the second click, because a deleted list is lost. */
function DeleteButton({
  list,
  onClose,
}: {
  readonly list: TickerList;
  readonly onClose: () => void;
}) {
  const isSure = useSignal(false);
  return (
    <button
      type="button"
      class={`button ${isSure.value ? 'button-bad' : ''}`}
      onClick={() => {
        if (!isSure.value) {
          isSure.value = true;
          return;
        }
        onClose();
        removeList(list.name);
        goTo(panelRoute('LID'));
      }}
    >
      <span aria-live="polite">{isSure.value ? 'Confirmar: eliminar' : 'Eliminar la lista'}</span>
    </button>
  );
}
