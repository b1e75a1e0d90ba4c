/**
 * The sources of daily closes in the order of the configuration, the preferred one first. It ranks only
 * closes that were fetched from these sources: a close of the service's own session, an imported one,
 * and one of a source that is not configured any more have no rank.
 */
export class SourceOrder {
  readonly #ranks: ReadonlyMap<string, number>;

  /** @param names of all configured sources with history, the preferred one first */
  constructor(names: readonly string[]) {
    // A feed may be called as the service calls its own closes. Those have priority.
    const fetched = names.filter((name) => !ownSources.has(name));
    this.#ranks = new Map(fetched.map((name, rank) => [name, rank]));
  }

  /** Whether both sources have a rank, and the first one is preferred to the second one. */
  isPreferred(one: string | undefined, other: string | undefined): boolean {
    const [rank, otherRank] = [this.#rankOf(one), this.#rankOf(other)];
    return rank !== undefined && otherRank !== undefined && rank < otherRank;
  }

  #rankOf(source: string | undefined): number | undefined {
    return source === undefined ? undefined : this.#ranks.get(source);
  }
}

/** The sources of closes that the service itself has recorded or made up (`close-source.ts`). */
const ownSources: ReadonlySet<string> = new Set(['session', 'demonstration']);
