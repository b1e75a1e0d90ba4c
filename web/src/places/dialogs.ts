import { signal } from '@preact/signals';

// The dialogs that every page can open, beside that of the key.

/** Whether the dialog that saves and reads the lists, columns, alerts and levels of this browser is open. */
export const isBackupOpen = signal(false);

/** Whether the dialog that changes the strip is open. */
export const isStripEdited = signal(false);

/** Whether the list of keys is shown. The key `?` shows it too. */
export const areKeysShown = signal(false);
