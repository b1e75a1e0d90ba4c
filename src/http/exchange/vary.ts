import { Fields } from './fields.ts';

/**
 * The `Vary` fields of a listener's responses: the request fields that one answer depends on, and
 * those that every response depends on, in one line (RFC 9110 12.5.5).
 */
export class VaryFields {
  readonly #always: string | undefined;
  readonly #known = new Map<string | undefined, Fields>();

  /** @param always what every response depends on; undefined for nothing. */
  constructor(always: string | undefined) {
    this.#always = always;
  }

  /** @param own what an answer depends on, one of a few constants. */
  for(own: string | undefined): Fields {
    const known = this.#known.get(own);
    if (known !== undefined) return known;
    const names = [own, this.#always].filter((one) => one !== undefined).join(', ');
    const fields = names === '' ? Fields.none : Fields.of({ vary: names });
    this.#known.set(own, fields);
    return fields;
  }
}
