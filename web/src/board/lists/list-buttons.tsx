import { isOwnList, lookOf } from '../state/board-look.ts';
import { isListEditorOpen } from '../state/board-dialog.ts';
import { formatRoute, type BoardPlace } from '../../places/route.ts';
import { Button } from '../../ui/button.tsx';
import { CopyButton } from '../../ui/copy-button.tsx';
import { EditIcon } from '../../ui/icons.tsx';
import { tickerLists } from '../../market/lists/stored-lists.ts';
import { findList, type TickerList } from '../../market/lists/ticker-lists.ts';

/** The controls of a list of this browser: edit and share. A panel has none. */
export function ListButtons({ place }: { readonly place: BoardPlace }) {
  const list = isOwnList(place) ? findList(tickerLists.value, place.name) : undefined;
  if (list === undefined) return null;
  return (
    <>
      <Button
        look="small"
        class="list-button"
        data-state="idle"
        title="Editar lista"
        aria-haspopup="dialog"
        onClick={() => (isListEditorOpen.value = true)}
      >
        <EditIcon />
        <span>
          Editar<span class="visually-hidden"> lista</span>
        </span>
      </Button>
      <CopyButton
        label="Copiar enlace"
        class="list-button"
        title="Copiar enlace"
        text={() => sharedLink(list, place)}
      />
    </>
  );
}

/** The address of a list with its tickers, its view and its range, which any browser with a key can open. It has no key. */
function sharedLink({ name, tickers }: TickerList, place: BoardPlace): string {
  const fragment = formatRoute({ page: 'list', name, tickers, ...lookOf(place) });
  return new URL(fragment, location.href).href;
}
