import type { BoardPlace, ViewCode } from '../places/route.ts';
import { goTo } from '../places/location.ts';
import { WallIcon } from '../ui/icons.tsx';
import type { Choice } from '../ui/segments.tsx';
import { Select } from '../ui/select.tsx';
import { changeLook, onWall } from './state/board-look.ts';
import { hasBonds } from './state/board-source.ts';
import { enterFullScreen } from './wall/full-screen.ts';

interface ViewOption extends Choice<ViewCode> {
  /** Which boards have the view. Absent for all. */
  readonly isFor?: (place: BoardPlace) => boolean;
}

const views: readonly ViewOption[] = [
  { value: 'tabla', name: 'Tabla' },
  { value: 'graficos', name: 'Gráficos' },
  { value: 'mapa', name: 'Mapa' },
  { value: 'ranking', name: 'Ranking' },
  { value: 'curva', name: 'Curva', isFor: hasBonds },
  {
    value: 'calendario',
    name: 'Calendario',
    isFor: (place) => place.page === 'list' || hasBonds(place),
  },
];

/** Selects how the board shows its quotes. */
export function ViewChoice({ place }: { readonly place: BoardPlace }) {
  return (
    <Select
      aria-label="Vista"
      choices={views.filter(({ isFor }) => isFor?.(place) ?? true)}
      chosen={place.view}
      onChoose={(view) => changeLook(place, { view })}
    />
  );
}

/** Shows the board on the whole screen. */
export function WallButton({ place }: { readonly place: BoardPlace }) {
  return (
    <button
      type="button"
      class="button button-small button-icon"
      title="Mural: toda la pantalla"
      onClick={() => {
        enterFullScreen();
        goTo(onWall(place));
      }}
    >
      <WallIcon />
      <span class="visually-hidden">Mural</span>
    </button>
  );
}
