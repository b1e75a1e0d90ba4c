import { TickerEditor } from '../../market/lists/ticker-editor.tsx';
import { Button } from '../../ui/button.tsx';
import { Check } from '../../ui/check.tsx';
import { isStripEdited } from '../../places/dialogs.ts';
import { changeStrip, strip } from './stored-strip.ts';
import { defaultStrip, stripMax } from './strip-choice.ts';

/** Chooses the instruments of the strip and their order. Each change applies at once. */
export function StripEditor() {
  const { tickers, isShown } = strip.value;
  return (
    <>
      <Check checked={isShown} onCheck={(is) => changeStrip({ isShown: is })}>
        Mostrar la tira en todas las páginas
      </Check>
      <TickerEditor
        tickers={tickers}
        max={stripMax}
        owner="la tira"
        label="Especies de la tira"
        onChange={(change) => changeStrip({ tickers: change(strip.value.tickers) })}
      />
      <div class="dialog-actions row">
        <Button onClick={() => changeStrip({ tickers: defaultStrip.tickers })}>Restablecer</Button>
        <Button look="primary" onClick={() => (isStripEdited.value = false)}>
          Listo
        </Button>
      </div>
    </>
  );
}
