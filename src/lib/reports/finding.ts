/** The result of a check. A `warning` will become wrong, or can be improved. */
type FindingState = 'fine' | 'warning' | 'wrong';

/** The result of one check of the doctor. It never contains a secret. */
export interface Finding {
  /** The subject of the check, in a word or two. */
  readonly check: string;
  readonly state: FindingState;
  /** The result, as a sentence. */
  readonly says: string;
  /** What to do. Absent if and only if the state is `fine`. */
  readonly todo?: string;
  /** The single cases, if there may be several. */
  readonly cases?: readonly string[];
}

/** What to do, and the single cases. */
export interface Remedy {
  readonly todo: string;
  readonly cases?: readonly string[];
}

export function fine(check: string, says: string): Finding {
  return { check, state: 'fine', says };
}

export function warning(check: string, says: string, advice: Remedy): Finding {
  return { check, state: 'warning', says, ...advice };
}

export function wrong(check: string, says: string, advice: Remedy): Finding {
  return { check, state: 'wrong', says, ...advice };
}

/** A warning with its cases, or that there is none. */
export function warningIfAny(
  check: string,
  cases: readonly string[],
  { none, some, todo }: { readonly none: string; readonly some: string; readonly todo: string },
): Finding {
  return cases.length === 0 ? fine(check, none) : warning(check, some, { todo, cases });
}
