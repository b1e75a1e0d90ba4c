import { adviceText, suggestionText, type Advice, type Suggestion } from '../refusals/advice.ts';

/** Advice that several refused files of one import share, such as a suffix. The operator reads it once. */
export class SharedAdvice {
  readonly #byKind = new Map<
    Advice['kind'],
    { readonly count: number; readonly suggestions: readonly Suggestion[] }
  >();

  /** Counts the advice of a refused file. Returns whether an earlier file has had it. */
  add({ kind, suggestions }: Advice): boolean {
    // A ticker is that of one file.
    const own = suggestions.filter((one) => !Object.hasOwn(one, 'ticker'));
    const texts = new Set(own.map(suggestionText));
    const known = this.#byKind.get(kind);
    const common = known?.suggestions.filter((one) => texts.has(suggestionText(one))) ?? [];
    const isShared = known !== undefined && common.length > 0;
    if (isShared) this.#byKind.set(kind, { count: known.count + 1, suggestions: common });
    else if (known === undefined) this.#byKind.set(kind, { count: 1, suggestions: own });
    return isShared;
  }

  /** One sentence for each advice of several files. */
  get sentences(): readonly string[] {
    return [...this.#byKind].flatMap(([kind, { count, suggestions }]) =>
      count > 1 ? [`${count} refused files: ${adviceText({ kind, suggestions })}.`] : [],
    );
  }
}
