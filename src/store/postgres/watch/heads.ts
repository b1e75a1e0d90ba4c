/** What has a revision. */
export type RevisionSubject = 'closes' | 'keys' | 'actions' | 'indices' | 'terms';

/** The latest revisions, as far as they are known without a statement. */
export interface Heads {
  /** The current revision; undefined when it is not known to be current. */
  current(subject: RevisionSubject): number | undefined;
  /** This process has changed a subject, so its revision is not known until it is read again. */
  forget(subject: RevisionSubject): void;
}
