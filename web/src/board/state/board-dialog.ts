import { signal } from '@preact/signals';

/** The open dialog of the board. */
export const boardDialog = signal<'columns' | 'list' | undefined>(undefined);
