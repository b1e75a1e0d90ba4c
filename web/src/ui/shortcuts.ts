import { useEffect } from 'preact/hooks';

import { preference } from './preferences.ts';

/**
 * Whether single keys are shortcuts. Speech input types letters that the user did not mean as
 * shortcuts, so they can be disabled (WCAG 2.1.4).
 */
export const shortcuts = preference<'on' | 'off'>('pizarra.shortcuts', ['on', 'off']);

/**
 * Calls a function for a single key that is pressed outside of a field and of a dialog, while the
 * component is mounted.
 */
export function useShortcut(key: string, run: () => void): void {
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.key !== key || event.ctrlKey || event.metaKey || event.altKey) return;
      if (shortcuts.value === 'off' || isTyping(event.target)) return;
      // A dialog that is open stays in front.
      if (document.querySelector('dialog[open]') !== null) return;
      event.preventDefault();
      run();
    };
    window.addEventListener('keydown', onKey);
    return () => window.removeEventListener('keydown', onKey);
  }, [key, run]);
}

/** A field of a dialog that has just been closed keeps the focus until the next frame. */
function isTyping(target: EventTarget | null): boolean {
  if (!(target instanceof HTMLElement) || target.closest('dialog:not([open])') !== null)
    return false;
  return target.matches('input, textarea, select, dialog *');
}
