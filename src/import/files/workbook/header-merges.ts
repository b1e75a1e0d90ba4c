import { cellPlace } from './cell-place.ts';

/** Rows from the top in which merged cells are headings. */
const headingRowsMax = 10;

/** Number of characters that are searched again with the next chunk: longer than any match. */
const overlapChars = 200;

/**
 * The cells at the bottom of headings that are merged over several rows, by the cell at their top. Such a
 * heading belongs to the last of its rows, next to the headings of the other columns. A sheet lists its
 * merged cells after its rows, so it is searched before it is read.
 */
export async function headerMerges(
  bytes: AsyncIterable<Uint8Array>,
): Promise<ReadonlyMap<string, number>> {
  const merges = new Map<string, number>();
  const decoder = new TextDecoder();
  let text = '';
  for await (const chunk of bytes) {
    text += decoder.decode(chunk, { stream: true });
    for (const [, from = '', to = ''] of text.matchAll(
      /mergeCell ref="([A-Z]+\d+):([A-Z]+\d+)"/g,
    )) {
      const [top, bottom] = [cellPlace(from), cellPlace(to)];
      if (top === undefined || bottom === undefined) continue;
      if (bottom.row <= headingRowsMax && bottom.row > top.row) merges.set(from, bottom.row);
    }
    text = text.slice(-overlapChars);
  }
  return merges;
}
