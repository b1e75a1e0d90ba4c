import { useSignal, type Signal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';

import type { BoardPlace } from '../../places/route.ts';
import { changeBeside, shownBoard } from '../state/board-state.ts';

/**
 * Minimum time between two changes of the address, in milliseconds. A held arrow key passes thirty rows
 * a second, and browsers refuse more than a hundred changes in half a minute.
 */
const writeMs = 350;

/**
 * The ticker of the row that had the focus or a click last. While the pane is open, the address has it
 * too, so a reload and the way back show the same instrument.
 */
export function useChosenRow(place: BoardPlace, isOpen: boolean): Signal<string | undefined> {
  const chosen = useSignal(place.beside);
  const written = useRef(place.beside);
  useEffect(() => {
    // The visitor goes back, or edits the address. Its changes from here cause no such event.
    const follow = () => {
      const { beside } = shownBoard.peek() ?? {};
      if (beside === undefined) return;
      written.current = beside;
      chosen.value = beside;
    };
    window.addEventListener('hashchange', follow);
    return () => window.removeEventListener('hashchange', follow);
  }, []);
  useEffect(() => {
    if (!isOpen) return undefined;
    let timer: ReturnType<typeof setTimeout> | undefined;
    let writtenAt = Number.NEGATIVE_INFINITY;
    const write = () => {
      timer = undefined;
      writtenAt = performance.now();
      written.current = chosen.peek();
      changeBeside(chosen.peek());
    };
    const stop = chosen.subscribe((ticker) => {
      if (ticker === undefined || ticker === written.current || timer !== undefined) return;
      const waitMs = writtenAt + writeMs - performance.now();
      if (waitMs > 0) timer = setTimeout(write, waitMs);
      else write();
    });
    return () => {
      stop();
      clearTimeout(timer);
    };
  }, [isOpen]);
  return chosen;
}
