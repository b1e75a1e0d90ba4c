import { useSignal } from '@preact/signals';

import { usableKey } from '../../key/api-key.ts';
import { listRoute, type Route } from '../../places/route.ts';
import { replaceRoute } from '../../places/location.ts';
import { isListEditorOpen } from '../state/board-state.ts';
import { storedLook } from '../state/board-look.ts';
import { listTickers } from '../state/board-source.ts';
import {
  addList,
  tickerLists,
  findList,
  listsMax,
  tickersMax,
} from '../../market/lists/ticker-lists.ts';
import { Button } from '../../ui/button.tsx';
import { lazy } from '../../ui/lazy.tsx';

// Only a list that is empty, or just filled, has its editor on the board.
const ListMembers = lazy(async () => (await import('./list-editor.tsx')).ListMembers);

/** The route of a list. */
export type ListPlace = Extract<Route, { readonly page: 'list' }>;

/**
 * What there is to say about a list: that it is shared and can be saved, that it does not exist, or
 * that it is empty, and then its members until the visitor has added all.
 */
export function ListNotice({ place }: { readonly place: ListPlace }) {
  const key = usableKey.value;
  const list = findList(place.name);
  // Who fills a new list goes on typing where the first instrument was added.
  const filled = useSignal<string | undefined>(undefined);
  if (place.tickers !== undefined) return <SharedList place={place} />;
  if (list === undefined) {
    return (
      <section class="empty column gap-5">
        <h2>No hay una lista «{place.name}» en este navegador</h2>
        <p>
          Las listas se guardan en el navegador en el que se crearon. Para abrir una en otro,
          compartir su enlace.
        </p>
        <Button look="primary" onClick={() => save({ ...place, tickers: [] })}>
          Crear la lista
        </Button>
      </section>
    );
  }
  const isEmpty = list.tickers.length === 0;
  if ((!isEmpty && filled.value !== list.name) || key === undefined) return null;
  return (
    <section class="page page-narrow stack gap-5" onFocusIn={() => (filled.value = list.name)}>
      <h2>{isEmpty ? `«${list.name}» está vacía` : `Especies de «${list.name}»`}</h2>
      <ListMembers key={list.name} list={list} hasFocus={isEmpty} />
      {isEmpty ? (
        <Button aria-haspopup="dialog" onClick={() => (isListEditorOpen.value = true)}>
          Cambiar el nombre o eliminar la lista
        </Button>
      ) : (
        <Button onClick={() => (filled.value = undefined)}>Listo</Button>
      )}
    </section>
  );
}

function SharedList({ place }: { readonly place: ListPlace }) {
  const tickers = listTickers(place);
  const isTooLong = tickers.length > tickersMax;
  const isFull = tickerLists.value.length >= listsMax;
  return (
    <section class="notice list-notice row gap-5" aria-label="Lista compartida">
      <p>
        Lista compartida «{place.name}»:{' '}
        {tickers.length === 1 ? '1 especie' : `${tickers.length} especies`}. No está guardada en
        este navegador.
        {isTooLong && ` Una lista admite hasta ${tickersMax} especies; se guardan las primeras.`}
        {isFull && ` Ya hay ${listsMax} listas, la cantidad máxima.`}
      </p>
      <Button look="small" disabled={isFull} onClick={() => save({ ...place, tickers })}>
        Guardar en este navegador
      </Button>
    </section>
  );
}

function save({ name, tickers = [], ...place }: ListPlace): void {
  const look = storedLook(place);
  const saved = addList({ name, tickers, ...(look === undefined ? {} : { look }) });
  if (saved !== undefined) replaceRoute(listRoute(saved));
}
