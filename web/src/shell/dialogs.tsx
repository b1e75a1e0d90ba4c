import { isKeyDialogOpen } from '../key/api-key.ts';
import { areKeysShown, isBackupOpen, isStripEdited } from '../places/dialogs.ts';
import { Dialog } from '../ui/dialog.tsx';
import { lazy } from '../ui/lazy.tsx';
import { useShortcut } from '../ui/shortcuts.ts';

/** A text to read, which begins at its top and has no button of its own that closes it. */
const text = { beginsAtTitle: true, end: 'Cerrar' };

/** The dialogs that open above every page. Their code is loaded when they are first opened. */
const dialogs = [
  {
    title: 'Clave de acceso',
    isOpen: isKeyDialogOpen,
    Content: lazy(async () => (await import('../key/key-fields.tsx')).KeyFields),
  },
  {
    title: 'Tira de cotizaciones',
    isOpen: isStripEdited,
    Content: lazy(async () => (await import('./strip/strip-editor.tsx')).StripEditor),
  },
  {
    title: 'Respaldo',
    isOpen: isBackupOpen,
    Content: lazy(async () => (await import('../backup/backup-form.tsx')).BackupForm),
    ...text,
  },
  {
    title: 'Teclas',
    isOpen: areKeysShown,
    Content: lazy(async () => (await import('./keys.tsx')).Keys),
    ...text,
  },
];

/** The dialogs that open above every page. */
export function Dialogs() {
  useShortcut('?', showKeys);
  return dialogs.map(({ Content, ...dialog }) => (
    <Dialog key={dialog.title} {...dialog}>
      <Content />
    </Dialog>
  ));
}

function showKeys(): void {
  areKeysShown.value = true;
}
