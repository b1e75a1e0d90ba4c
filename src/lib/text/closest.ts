import { editDistances } from './edit-distances.ts';

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
    const edits = editDistances(typed, other).whole;
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
