import type { ViewCode } from '../places/route.ts';
import { goTo } from '../places/location.ts';
import { Segments } from '../ui/segments.tsx';
import { changeLook, onWall } from './state/board-look.ts';
import { hasBonds } from './state/board-source.ts';
import { enterFullScreen } from './wall/full-screen.ts';
import type { BoardPlace } from '../places/route.ts';

const choices: readonly { readonly value: ViewCode; readonly name: string }[] = [
  { value: 'tabla', name: 'Tabla' },
  { value: 'graficos', name: 'Gráficos' },
  { value: 'mapa', name: 'Mapa' },
  { value: 'curva', name: 'Curva' },
  { value: 'mural', name: 'Mural' },
];

const withoutCurve = choices.filter(({ value }) => value !== 'curva');

/** Selects how the board shows its quotes. Only bonds have a curve. The wall takes the whole screen. */
export function ViewChoice({ place }: { readonly place: BoardPlace }) {
  return (
    <Segments
      label="Vista"
      choices={hasBonds(place) ? choices : withoutCurve}
      chosen={place.view}
      onChoose={(view) => {
        if (view === 'mural') {
          enterFullScreen();
          goTo(onWall(place));
        } else changeLook(place, { view });
      }}
    />
  );
}
