/**
 * The fewest edits that turn a text into another, or into a beginning of it, which is what a person who
 * is still typing has written. An edit inserts, deletes or replaces a character, or swaps it with the
 * next one (optimal string alignment).
 */
export interface EditDistances {
  readonly whole: number;
  /** Into the nearest beginning. It is never more than `whole`. */
  readonly beginning: number;
}

/** The distances from what was typed to a word. */
export function editDistances(typed: string, word: string): EditDistances {
  let before: readonly number[] = [];
  let row: readonly number[] = Array.from({ length: word.length + 1 }, (_, at) => at);
  for (let i = 1; i <= typed.length; i += 1) {
    const next = [i];
    for (let j = 1; j <= word.length; j += 1) {
      const cost = typed[i - 1] === word[j - 1] ? 0 : 1;
      const isSwap = typed[i - 1] === word[j - 2] && typed[i - 2] === word[j - 1];
      next[j] = Math.min(
        (row[j] ?? 0) + 1,
        (next[j - 1] ?? 0) + 1,
        (row[j - 1] ?? 0) + cost,
        isSwap ? (before[j - 2] ?? 0) + 1 : Number.POSITIVE_INFINITY,
      );
    }
    [before, row] = [row, next];
  }
  return { whole: row[word.length] ?? 0, beginning: Math.min(...row) };
}
