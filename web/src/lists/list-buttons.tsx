import { boardDialog } from '../board/board-dialog.ts';
import type { BoardPlace } from '../route.ts';
import { formatRoute } from '../route.ts';
import { CopyButton } from '../shell/copy-button.tsx';
import { EditIcon } from '../shell/icons.tsx';
import { tickerLists } from './stored-lists.ts';
import { findList } from './ticker-lists.ts';
import type { TickerList } from './ticker-lists.ts';

/** The controls of a list of this browser: edit and share. A panel has none. */
export function ListButtons({ place }: { readonly place: BoardPlace }) {
  const list =
    place.page === 'list' && place.tickers === undefined
      ? findList(tickerLists.value, place.name)
      : undefined;
  if (list === undefined) return null;
  return (
    <>
      <button
        type="button"
        class="button button-small"
        aria-haspopup="dialog"
        onClick={() => {
          boardDialog.value = 'list';
        }}
      >
        <EditIcon />
        Editar lista
      </button>
      <CopyButton label="Copiar enlace" text={() => sharedLink(list)} />
    </>
  );
}

/** The address of a list with its tickers, which any browser with a key can open. It has no key. */
function sharedLink({ name, tickers }: TickerList): string {
  const fragment = formatRoute({ page: 'list', name, tickers, view: 'tabla' });
  return new URL(fragment, location.href).href;
}
