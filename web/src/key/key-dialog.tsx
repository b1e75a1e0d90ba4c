import { Dialog } from '../ui/dialog.tsx';
import { lazy } from '../ui/lazy.tsx';
import { isKeyDialogOpen } from './api-key.ts';

// Most visitors already have a key, so that the form is not part of the first download.
const KeyFields = lazy(async () => (await import('./key-fields.tsx')).KeyFields);

/** Asks for the key, and warns against keys in public code. */
export function KeyDialog() {
  return (
    <Dialog title="Clave de acceso" isOpen={isKeyDialogOpen}>
      <KeyFields />
    </Dialog>
  );
}
