/**
 * The option that a key leads to, or undefined if the key does not move. Moving past an end leads to
 * the other end.
 */
export function moveChoice(
  key: string,
  { chosen, count }: { readonly chosen: number; readonly count: number },
): number | undefined {
  if (count === 0) return undefined;
  switch (key) {
    case 'ArrowDown':
      return (chosen + 1) % count;
    case 'ArrowUp':
      return (chosen - 1 + count) % count;
    case 'PageDown':
      return Math.min(chosen + pageLength, count - 1);
    case 'PageUp':
      return Math.max(chosen - pageLength, 0);
    default:
      return undefined;
  }
}

const pageLength = 8;
