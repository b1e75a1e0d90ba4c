import { Fields } from './fields.ts';

/** Of a few constants each: names of request fields, separated by commas. */
type Names = string | undefined;

/**
 * The `Vary` fields of a listener's responses: the request fields that one answer depends on, and
 * those that every response depends on, in one line (RFC 9110 12.5.5).
 */
export class VaryFields {
  readonly #known = new Map<Names, Map<Names, Fields>>();

  on(own: Names, always: Names): Fields {
    const others = this.#known.getOrInsertComputed(own, () => new Map<Names, Fields>());
    return others.getOrInsertComputed(always, () => {
      const names = [own, always].filter((one) => one !== undefined).join(', ');
      return names === '' ? Fields.none : Fields.of({ vary: names });
    });
  }
}
