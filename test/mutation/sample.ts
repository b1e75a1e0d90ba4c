/** As many items as asked for, drawn without repetition; the same ones for the same seed. */
export function sampleOf<T>(items: readonly T[], size: number, seed: number): readonly T[] {
  const random = mulberry32(seed);
  const shuffled = items
    .map((item) => ({ item, order: random() }))
    .toSorted((a, b) => a.order - b.order)
    .map(({ item }) => item);
  return size === 0 ? shuffled : shuffled.slice(0, size);
}

/** The generator mulberry32 by Tommy Ettinger: numbers from 0 up to but not at 1. */
function mulberry32(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
