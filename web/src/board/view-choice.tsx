import type { BoardPlace, ViewCode } from '../places/route.ts';
import { goTo } from '../places/location.ts';
import { WallIcon } from '../ui/icons.tsx';
import { changeLook, onWall } from './state/board-look.ts';
import { hasBonds } from './state/board-source.ts';
import { enterFullScreen } from './wall/full-screen.ts';

const views: readonly {
  readonly value: ViewCode;
  readonly name: string;
  readonly isFor?: (place: BoardPlace) => boolean;
}[] = [
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
    <select
      class="input"
      aria-label="Vista"
      value={place.view}
      onChange={({ currentTarget: { value } }) => {
        const view = views.find((one) => one.value === value)?.value;
        if (view !== undefined) changeLook(place, { view });
      }}
    >
      {views
        .filter(({ isFor }) => isFor?.(place) ?? true)
        .map(({ value, name }) => (
          <option key={value} value={value}>
            {name}
          </option>
        ))}
    </select>
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
