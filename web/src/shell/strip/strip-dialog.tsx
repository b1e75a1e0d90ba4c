import { Dialog } from '../../ui/dialog.tsx';
import { lazy } from '../../ui/lazy.tsx';
import { isStripEdited } from './quote-strip.tsx';

const StripEditor = lazy(async () => (await import('./strip-editor.tsx')).StripEditor);

/** The dialog that changes the strip. */
export function StripDialog() {
  return (
    <Dialog title="Tira de cotizaciones" isOpen={isStripEdited.value} onClose={close}>
      <StripEditor onClose={close} />
    </Dialog>
  );
}

function close(): void {
  isStripEdited.value = false;
}
