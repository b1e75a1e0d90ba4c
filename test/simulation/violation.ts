/** What a history must never show. */
export type ViolationKind =
  /** A commit of an old writer was stored after one of its successor. */
  | 'two writers'
  /** The database no longer contains an update that was acknowledged. */
  | 'acknowledged update lost'
  /** The database contains an older quote than the writer knows to be stored. */
  | 'stored quote went back'
  /** Two commits stored different contents under one version. */
  | 'version assigned twice'
  /** A reader of a node saw an older quote after a newer one. */
  | 'follower went back'
  /** After all faults have ended, a node shows something else than the database. */
  | 'follower did not converge'
  /** A holder decided to write after its lease had ended at the database. */
  | 'wrote after expiry'
  /** A node accepted updates although its clock had been wrong for long enough to notice. */
  | 'wrote with a wrong clock'
  /** A node accepted a response of a former primary, although a node that could be asked knew the newer line. */
  | 'used an older line'
  /** Nobody wrote for too long, although a candidate could. */
  | 'late take-over'
  /** A planned stop handed over too late. */
  | 'late hand-over';

export class Violation extends Error {
  readonly kind: ViolationKind;

  constructor(kind: ViolationKind, detail: string) {
    super(`${kind}: ${detail}`);
    this.name = 'Violation';
    this.kind = kind;
  }
}
