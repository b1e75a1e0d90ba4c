/** How the rows of a wall are arranged. */
export interface WallLayout {
  readonly columns: number;
  /** The rows of each column. */
  readonly rows: number;
  /** The size of the text, in pixels. At the minimum, the rows may not fit, and the wall scrolls. */
  readonly fontPx: number;
}

/** The height of a row and the width of a column, in units of the text size. */
const rowEm = 1.6;
/** The space between two columns, in units of the text size. */
const gapEm = 1.5;
/** The width of the path of a session with its margins, in units of the text size. */
const pathEm = 4;
/** Paths may make the text smaller down to this part of its size. */
const textPartMin = 0.75;
/** Smaller text cannot be read from a distance. */
export const fontPxMin = 15;
const fontPxMax = 72;

/**
 * The arrangement in columns in which all rows fit with the largest text.
 *
 * @param widthEm the width of a row, in units of the text size.
 */
export function wallLayout(
  count: number,
  widthEm: number,
  { width, height }: { readonly width: number; readonly height: number },
): WallLayout {
  let best: WallLayout = { columns: 1, rows: count, fontPx: 0 };
  for (let columns = 1; columns <= Math.max(1, count); columns += 1) {
    const rows = Math.ceil(count / columns);
    const fontPx = Math.min(
      fontPxMax,
      height / (rows * rowEm),
      width / (columns * widthEm + (columns - 1) * gapEm),
    );
    if (fontPx > best.fontPx) best = { columns, rows, fontPx };
  }
  if (best.fontPx >= fontPxMin) return best;
  const columns = Math.max(1, Math.floor((width / fontPxMin + gapEm) / (widthEm + gapEm)));
  const fontPx = Math.min(fontPxMin, width / widthEm);
  return { columns, rows: Math.ceil(count / columns), fontPx };
}

/** The arrangement with the paths of the sessions, if they leave room for a large text. */
export function wallWithPaths(
  count: number,
  widthEm: number,
  size: { readonly width: number; readonly height: number },
): WallLayout & { readonly hasPaths: boolean } {
  const without = wallLayout(count, widthEm, size);
  const withPaths = wallLayout(count, widthEm + pathEm, size);
  const hasPaths = withPaths.fontPx > fontPxMin && withPaths.fontPx >= without.fontPx * textPartMin;
  return { ...(hasPaths ? withPaths : without), hasPaths };
}
