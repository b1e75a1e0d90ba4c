import { Button } from './button.tsx';
import { palette } from './preferences.ts';

/** Changes the colours of rises and falls on every page. */
export function PaletteButton() {
  const isSafe = palette.value === 'safe';
  return (
    <Button
      look="small"
      aria-pressed={isSafe}
      title="Azul y naranja en lugar de verde y rojo, en todas las páginas"
      onClick={() => (palette.value = isSafe ? 'usual' : 'safe')}
    >
      Colores para daltónicos
    </Button>
  );
}
