import { useSignal } from '@preact/signals';

import { firstPanel } from '../../market/first-panel.ts';
import { isBackupOpen } from '../../places/dialogs.ts';
import { listRoute, panelRoute } from '../../places/route.ts';
import { goTo, replaceRoute } from '../../places/location.ts';
import { ListNameForm } from '../../market/lists/list-name-form.tsx';
import {
  moveList,
  removeList,
  tickerLists,
  changeList,
  changeTickers,
  tickersMax,
  type TickerList,
} from '../../market/lists/ticker-lists.ts';
import { Button } from '../../ui/button.tsx';
import { TickerEditor } from '../../market/lists/ticker-editor.tsx';

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
  return (
    <>
      <ListNameForm
        key={list.name}
        id="list-name"
        label="Nombre"
        action="Cambiar"
        own={list.name}
        onName={(name) => {
          changeList(list.name, () => ({ name }));
          replaceRoute(listRoute(name));
        }}
      />
      <ListMembers list={list} />
      <div class="row">
        <Button look="small" disabled={at === 0} onClick={() => moveList(list, -1)}>
          Mover la pestaña antes
        </Button>
        <Button look="small" disabled={at === lists.length - 1} onClick={() => moveList(list, 1)}>
          Mover después
        </Button>
        <Button
          look="small"
          title="Guardar o leer las listas, columnas, alertas y niveles"
          onClick={() => {
            onClose();
            isBackupOpen.value = true;
          }}
        >
          Respaldo…
        </Button>
      </div>
      <div class="dialog-actions row">
        <DeleteButton list={list} onClose={onClose} />
        <Button look="primary" onClick={onClose}>
          Listo
        </Button>
      </div>
    </>
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
    <Button
      class={isSure.value ? 'button-bad' : undefined}
      onClick={() => {
        if (!isSure.value) {
          isSure.value = true;
          return;
        }
        onClose();
        removeList(list.name);
        goTo(panelRoute(firstPanel));
      }}
    >
      <span aria-live="polite">{isSure.value ? 'Confirmar: eliminar' : 'Eliminar la lista'}</span>
    </Button>
  );
}

/** The tickers of a list, to add, move and remove. */
export function ListMembers({
  list: { name, tickers },
  hasFocus = false,
}: {
  readonly list: TickerList;
  readonly hasFocus?: boolean;
}) {
  return (
    <TickerEditor
      tickers={tickers}
      max={tickersMax}
      owner="la lista"
      label={`Especies de «${name}»`}
      hasFocus={hasFocus}
      onChange={(change) => changeTickers(name, change)}
    />
  );
}
