/** How one thing is: a `warning` will be wrong some day, or is less than it could be. */
type FindingState = 'fine' | 'warning' | 'wrong';

/** What the doctor found of one thing. Never holds a secret. */
export interface Finding {
  /** What was looked at, in a word or two. */
  readonly check: string;
  readonly state: FindingState;
  /** How it is, as a sentence. */
  readonly says: string;
  /** What to do about it; always there unless all is fine. */
  readonly todo?: string;
  /** The single cases, where there may be many. */
  readonly cases?: readonly string[];
}

/** What to do, and about what. */
export interface Advice {
  readonly todo: string;
  readonly cases?: readonly string[];
}

export function fine(check: string, says: string): Finding {
  return { check, state: 'fine', says };
}

export function warning(check: string, says: string, advice: Advice): Finding {
  return { check, state: 'warning', says, ...advice };
}

export function wrong(check: string, says: string, advice: Advice): Finding {
  return { check, state: 'wrong', says, ...advice };
}
