import { signal, type ReadonlySignal } from '@preact/signals';
import { useEffect, useMemo } from 'preact/hooks';

/** Elements this far below and above the view count as in view, in pixels. */
const marginPx = 160;

/** Tells whether elements are in view, with one observer for all of them. */
export interface ViewWatch {
  /** Watches an element until the returned function is called. `is` tells whether it is in view. */
  readonly watch: (element: Element, is: (isInView: boolean) => void) => () => void;
}

/** A watch of the elements of a component. */
export function useViewWatch(): ViewWatch {
  const watch = useMemo(createWatch, []);
  useEffect(() => () => watch[Symbol.dispose](), [watch]);
  return watch;
}

/** Whether the element of a reference is in view. */
export function useInView(
  { watch }: ViewWatch,
  element: { readonly current: Element | null },
): ReadonlySignal<boolean> {
  const isInView = useMemo(() => signal(false), []);
  useEffect(() => {
    if (element.current === null) return undefined;
    return watch(element.current, (is) => {
      isInView.value = is;
    });
  }, [watch]);
  return isInView;
}

function createWatch(): ViewWatch & Disposable {
  const listeners = new WeakMap<Element, (isInView: boolean) => void>();
  const observer = new IntersectionObserver(
    (entries) => {
      for (const { target, isIntersecting } of entries) listeners.get(target)?.(isIntersecting);
    },
    { rootMargin: `${marginPx}px` },
  );
  return {
    watch: (element, is) => {
      listeners.set(element, is);
      observer.observe(element);
      return () => observer.unobserve(element);
    },
    [Symbol.dispose]: () => observer.disconnect(),
  };
}
