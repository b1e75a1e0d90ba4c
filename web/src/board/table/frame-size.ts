import { useSignal, type ReadonlySignal } from '@preact/signals';
import type { RefObject } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';

/** The sizes that decide which columns fit, in pixels. Zero until the frame is laid out. */
export interface FrameSize {
  /** The inner width of the frame. */
  readonly width: ReadonlySignal<number>;
  /** The width of a digit of the table. */
  readonly digit: ReadonlySignal<number>;
  /** The space at each side of the table. */
  readonly gutter: ReadonlySignal<number>;
}

/** The number of digits in the element that is measured. */
export const probeText = '0000000000';

/**
 * Measures the frame of a table, and an element with {@link probeText} in the font of its cells and with the
 * height of a gutter: the font may be loaded after the first drawing.
 */
export function useFrameSize(frame: RefObject<HTMLElement | null>): FrameSize & {
  readonly probe: RefObject<HTMLSpanElement | null>;
} {
  const probe = useRef<HTMLSpanElement>(null);
  const width = useSignal(0);
  const digit = useSignal(0);
  const gutter = useSignal(0);
  useLayoutEffect(() => {
    const measure = () => {
      const [box, text] = [frame.current, probe.current];
      if (box === null || text === null) return;
      width.value = box.clientWidth;
      const probed = text.getBoundingClientRect();
      digit.value = probed.width / probeText.length;
      gutter.value = probed.height;
    };
    // An observer measures first after the layout of the next frame and before its painting. A measurement
    // here would need a layout of its own.
    const observer = new ResizeObserver(measure);
    for (const { current } of [frame, probe]) if (current !== null) observer.observe(current);
    return () => observer.disconnect();
  }, [frame, width, digit, gutter]);
  return { width, digit, gutter, probe };
}
