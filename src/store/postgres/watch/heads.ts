import type { StoreHint } from '../../contract/store.ts';
import type { RevisionSubject } from '../../sql/sql.ts';

/** The latest revisions, as far as they are known without a statement. */
export interface Heads {
  /** The current revision; undefined when it is not known to be current. */
  current(subject: RevisionSubject): number | undefined;
  /** This process has changed a subject, so its revision is not known until it is read again. */
  forget(subject: RevisionSubject): void;
}

/** The hint with which a change of each subject is notified. */
export const hintOf: Readonly<Partial<Record<RevisionSubject, StoreHint>>> = {
  closes: 'history',
  keys: 'keys',
  actions: 'actions',
  indices: 'indices',
};
