import { signal } from '@preact/signals';

/** Whether the dialogs of the columns and of the list of the board are open. */
export const isColumnChoiceOpen = signal(false);
export const isListEditorOpen = signal(false);
