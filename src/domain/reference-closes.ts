/**
 * The closes of an instrument's own history that a session is compared with. Absent where the
 * history has none.
 *
 * Source: decisions row 21.
 */
export interface ReferenceCloses {
  /** The last close of a session before this one. */
  readonly previous?: number;
  /** The last close before the first day of this session's month. */
  readonly monthBase?: number;
  /** The last close before the first day of this session's year. */
  readonly yearBase?: number;
}

/** The reference closes of an instrument without history. */
export const noReferences: ReferenceCloses = {};
