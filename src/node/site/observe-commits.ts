import type { Clock } from '../../lib/time/clock.ts';
import type { QuoteStore } from '../../store/contract/quote-store.ts';

/** Receives every commit of quotes, for the metrics and for the readiness. */
export interface CommitObserver {
  committed(commit: {
    readonly quotes: number;
    readonly closes: number;
    readonly seconds: number;
  }): void;
  failed(fault: unknown): void;
  /** A market opens. What failed before no longer counts. */
  begin?(): void;
}

/** The same store of quotes, with an observer of its commits. */
export function observeCommits(
  store: Pick<QuoteStore, 'commit'>,
  { observer, clock }: { readonly observer: CommitObserver; readonly clock: Clock },
): Pick<QuoteStore, 'commit'> {
  return {
    async commit(commit) {
      const begun = clock.monotonic();
      let conflicts;
      try {
        conflicts = await store.commit(commit);
      } catch (fault) {
        observer.failed(fault);
        throw fault;
      }
      observer.committed({
        quotes: commit.quotes.length,
        closes: commit.closes.length,
        seconds: (clock.monotonic() - begun) / 1_000,
      });
      return conflicts;
    },
  };
}
