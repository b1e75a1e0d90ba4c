import { signal } from '@preact/signals';

import { Dialog } from '../ui/dialog.tsx';
import { lazy } from '../ui/lazy.tsx';

const BackupForm = lazy(async () => (await import('./backup-form.tsx')).BackupForm);

const isOpen = signal(false);

/** The dialog that saves and reads the lists, columns and alerts of this browser. */
export function BackupDialog() {
  return (
    <Dialog title="Respaldo" isOpen={isOpen} beginsAtTitle end="Cerrar">
      <BackupForm />
    </Dialog>
  );
}

/** Opens the dialog. */
export function openBackup(): void {
  isOpen.value = true;
}
