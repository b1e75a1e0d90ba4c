import { useEffect, useRef } from 'preact/hooks';

/** The attribute of an item that can be moved. Its value is the name of the item. */
const orderedAttribute = 'data-ordered';

/**
 * Lets a person put items in order with a mouse, a pen or a finger: an item that is dragged over another
 * one takes its place. Items have the attribute `data-ordered`, and a handle that starts the drag, with
 * `touch-action: none` in the styles. The keyboard needs buttons of its own.
 *
 * @param place moves an item to the place of another one.
 * @returns the handler for `onPointerDown` of the handle of an item.
 */
export function useDragOrder(
  place: (item: string, target: string) => void,
): (item: string) => (event: PointerEvent) => void {
  const stop = useRef<AbortController | undefined>(undefined);
  useEffect(() => () => stop.current?.abort(), []);
  return (item) => (down) => {
    if (down.button !== 0) return;
    down.preventDefault();
    stop.current?.abort();
    const drag = new AbortController();
    stop.current = drag;
    const options = { signal: drag.signal };
    let last: string | undefined;
    // The item moves within the document while it is dragged, so its handle cannot capture the pointer.
    const onMove = ({ pointerId, clientX, clientY }: PointerEvent) => {
      if (pointerId !== down.pointerId) return;
      const over = document.elementFromPoint(clientX, clientY);
      const target = over?.closest(`[${orderedAttribute}]`)?.getAttribute(orderedAttribute);
      if (target === null || target === undefined) return;
      // An item that is longer than the dragged one is still below the pointer when they have changed places.
      const isNew = target !== last;
      last = target;
      if (isNew && target !== item) place(item, target);
    };
    window.addEventListener('pointermove', onMove, options);
    for (const end of ['pointerup', 'pointercancel', 'blur']) {
      window.addEventListener(end, () => drag.abort(), options);
    }
  };
}

/** The items with one of them at the place of another one, which moves aside. */
export function placeAt<T>(items: readonly T[], moved: T, target: T): readonly T[] {
  const [from, to] = [items.indexOf(moved), items.indexOf(target)];
  if (from === to || from === -1 || to === -1) return items;
  return items.toSpliced(from, 1).toSpliced(to, 0, moved);
}
