import type { RefObject } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';

/** The inner size of an element, in pixels. Zero until the element is laid out. */
export function useSize<T extends Element>(): {
  readonly ref: RefObject<T | null>;
  readonly width: number;
  readonly height: number;
} {
  const ref = useRef<T>(null);
  const [size, setSize] = useState({ width: 0, height: 0 });
  useEffect(() => {
    const observer = new ResizeObserver((entries) => {
      const box = entries.at(-1)?.contentRect;
      if (box !== undefined) setSize({ width: box.width, height: box.height });
    });
    if (ref.current !== null) observer.observe(ref.current);
    return () => observer.disconnect();
  }, []);
  return { ref, ...size };
}
