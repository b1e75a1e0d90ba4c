/** How the pane beside the table is laid out. */
export interface PaneLayout {
  /** Whether it is open on a screen that is wide enough for the whole table beside it. */
  readonly isOpenSplit: boolean;
  /** Whether it is open on a smaller one. */
  readonly isOpenElsewhere: boolean;
  readonly widthPx: number;
}

/** The widths of the pane. */
export const widthsPx = { least: 320, initial: 400, most: 900 } as const;

/** A width within the limits. */
export function clampWidth(px: number): number {
  return Math.round(Math.min(widthsPx.most, Math.max(widthsPx.least, px)));
}

/** The layout of a stored value. Undefined if it is not one. */
export function readLayout(value: unknown): PaneLayout | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  const { isOpenSplit, isOpenElsewhere, widthPx } = value as Record<keyof PaneLayout, unknown>;
  if (typeof isOpenSplit !== 'boolean' || typeof isOpenElsewhere !== 'boolean') return undefined;
  if (typeof widthPx !== 'number' || !Number.isFinite(widthPx)) return undefined;
  return { isOpenSplit, isOpenElsewhere, widthPx: clampWidth(widthPx) };
}
