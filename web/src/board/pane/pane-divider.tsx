import { useRef } from 'preact/hooks';

import { paneWidth, setPaneWidth } from './pane-layout.ts';
import { clampWidth, widthsPx } from './read-layout.ts';

/** How far an arrow key moves the divider, in pixels. */
const stepPx = 24;

/**
 * The line between the table and the pane. Dragging it or the arrow keys change the width of the pane; a
 * double click restores it.
 */
export function PaneDivider() {
  const width = paneWidth.value;
  const grip = useRef<{ readonly x: number; readonly width: number } | undefined>(undefined);
  return (
    <div
      class="pane-divider"
      role="separator"
      aria-orientation="vertical"
      aria-label="Ancho de la ficha"
      aria-valuenow={width}
      aria-valuemin={widthsPx.least}
      aria-valuemax={widthsPx.most}
      aria-valuetext={`${width} píxeles`}
      tabIndex={0}
      onDblClick={() => setPaneWidth(widthsPx.initial)}
      onKeyDown={(event) => {
        const by = { ArrowLeft: stepPx, ArrowRight: -stepPx }[event.key];
        if (by === undefined) return;
        event.preventDefault();
        setPaneWidth(clampWidth(width + by));
      }}
      onPointerDown={(event) => {
        event.currentTarget.setPointerCapture(event.pointerId);
        grip.current = { x: event.clientX, width };
      }}
      onPointerMove={(event) => {
        const { current: start } = grip;
        if (start !== undefined) setPaneWidth(clampWidth(start.width + start.x - event.clientX));
      }}
      onLostPointerCapture={() => {
        grip.current = undefined;
      }}
    />
  );
}
