import { SplitIcon } from '../../ui/icons.tsx';
import type { BoardPlace } from '../../places/route.ts';
import { canHavePane, hasPane, setPane } from './pane-layout.ts';

/** Opens and closes the pane beside the table, on screens with room for it. */
export function PaneButton({ place }: { readonly place: BoardPlace }) {
  if (!canHavePane.value) return null;
  const isOpen = hasPane(place);
  return (
    <button
      type="button"
      class="button button-small button-icon"
      aria-pressed={isOpen}
      title="Gráfico y puntas de la fila elegida, al lado de la tabla"
      onClick={() => setPane(!isOpen)}
    >
      <SplitIcon />
      <span class="visually-hidden">Ficha</span>
    </button>
  );
}
