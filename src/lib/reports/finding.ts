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
