import { NotStored } from '../../market/broken-line.tsx';
import { isLost } from '../../market/connection.ts';
import { useBoard } from './board-context.ts';
import { filter, setFilter } from './board-state.ts';
import { Button } from '../../ui/button.tsx';

/** Why a board shows no instrument, and the way back to all of them. Empty while the reason is unknown. */
export function EmptyBoard() {
  const { live } = useBoard();
  if (live.tickers.value.length === 0) {
    if (isLost.value) return <NotStored />;
    return <p class="table-empty">{live.moment.value > 0 && 'No hay especies para mostrar.'}</p>;
  }
  return (
    <p class="table-empty">
      Ninguna especie coincide con «{filter.value}».{' '}
      <Button
        look="link"
        onClick={() => {
          setFilter('');
        }}
      >
        Quitar el filtro
      </Button>
    </p>
  );
}
