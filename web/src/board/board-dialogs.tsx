import { tickerLists } from '../market/lists/stored-lists.ts';
import { findList } from '../market/lists/ticker-lists.ts';
import { Dialog } from '../ui/dialog.tsx';
import { lazy } from '../ui/lazy.tsx';
import type { BoardPlace } from '../places/route.ts';
import { isOwnList } from './state/board-look.ts';
import { isColumnChoiceOpen, isListEditorOpen } from './state/board-dialog.ts';

// Few visits change columns or lists.
const ColumnChoice = lazy(async () => (await import('./column-choice.tsx')).ColumnChoice);
const ListEditor = lazy(async () => (await import('./lists/list-editor.tsx')).ListEditor);

/**
 * The dialogs that change what the board requests. They are outside of the live board, which begins
 * anew with each such change.
 */
export function BoardDialogs({ place }: { readonly place: BoardPlace }) {
  const list = isOwnList(place) ? findList(tickerLists.value, place.name) : undefined;
  return (
    <>
      <Dialog title="Columnas" isOpen={isColumnChoiceOpen} end="Listo">
        <ColumnChoice />
      </Dialog>
      {list !== undefined && (
        <Dialog title={`Lista «${list.name}»`} isOpen={isListEditorOpen}>
          <ListEditor list={list} onClose={() => (isListEditorOpen.value = false)} />
        </Dialog>
      )}
    </>
  );
}
