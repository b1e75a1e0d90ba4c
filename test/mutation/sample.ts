import { createHash } from 'node:crypto';

/**
 * Draws items at random without repetition, the same ones for the same seed. The place of an item depends
 * only on its text and the seed, so a change elsewhere in the sources does not change the draw.
 *
 * @param size 0 selects all items, in the drawn order.
 */
export function sampleOf<T>(
  items: readonly T[],
  { size, seed, textOf }: { size: number; seed: number; textOf: (item: T) => string },
): readonly T[] {
  const drawn = items
    .map((item) => ({ item, order: hashOf(`${seed} ${textOf(item)}`) }))
    .toSorted((a, b) => (a.order < b.order ? -1 : Number(a.order > b.order)))
    .map(({ item }) => item);
  return size === 0 ? drawn : drawn.slice(0, size);
}

function hashOf(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
