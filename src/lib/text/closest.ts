/**
 * The candidate that a mistyped text most probably means: the one with the fewest added, removed, replaced or swapped
 * characters, without regard to case. Undefined if even that one differs in too much to be meant. Of equally close
 * ones, one with the same characters comes first, then the first of the list.
 */
export function closestTo(text: string, candidates: Iterable<string>): string | undefined {
  const typed = text.toLowerCase();
  const most = typed.length < 3 ? 0 : Math.min(3, Math.ceil(typed.length / 4));
  let best: { readonly candidate: string; readonly rank: number } | undefined;
  for (const candidate of candidates) {
    const other = candidate.toLowerCase();
    if (Math.abs(other.length - typed.length) > most) continue;
    const edits = editsBetween(typed, other);
    if (edits > most) continue;
    const rank = edits - (sorted(typed) === sorted(other) ? 0.5 : 0);
    if (best === undefined || rank < best.rank) best = { candidate, rank };
  }
  return best?.candidate;
}

/** The end of a message about a mistyped text: ` Did you mean GGAL?`, or nothing. */
export function didYouMean(text: string, candidates: Iterable<string>): string {
  const closest = closestTo(text, candidates);
  return closest === undefined ? '' : ` Did you mean ${closest}?`;
}

function sorted(text: string): string {
  return Array.from(text).toSorted().join('');
}

/** The distance of optimal string alignment. */
function editsBetween(a: string, b: string): number {
  let before: readonly number[] = [];
  let above = Array.from({ length: b.length + 1 }, (_, column) => column);
  for (let row = 1; row <= a.length; row += 1) {
    const current = [row];
    for (let column = 1; column <= b.length; column += 1) {
      const isSame = a[row - 1] === b[column - 1];
      const isSwapped = a[row - 1] === b[column - 2] && a[row - 2] === b[column - 1];
      const [replaced, removed, added] = [above[column - 1], above[column], current[column - 1]];
      const swapped = isSwapped ? (before[column - 2] ?? Infinity) + 1 : Infinity;
      current[column] = Math.min(
        (replaced ?? 0) + (isSame ? 0 : 1),
        (removed ?? 0) + 1,
        (added ?? 0) + 1,
        swapped,
      );
    }
    [before, above] = [above, current];
  }
  return above[b.length] ?? 0;
}
