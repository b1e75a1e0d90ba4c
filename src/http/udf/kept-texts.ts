import { LRUCache } from 'lru-cache';

import type { Parsed } from '../../domain/values/problem.ts';
import type { Content } from '../content/content.ts';
import { jsonContent } from './json-content.ts';

/** Maximum number of contents that are kept, and the maximum length of the text of one. */
const keptMax = 256;
const keptTextLengthMax = 16 * 1024;

/**
 * The contents of texts that are rendered at each request. A text that is the same as before keeps its
 * content, so that its tag and its encodings are not made again.
 */
export class KeptTexts {
  readonly #kept = new LRUCache<
    string,
    { readonly text: string; readonly content: Parsed<Content> }
  >({ max: keptMax });

  /** Drops all contents. */
  clear(): void {
    this.#kept.clear();
  }

  /** The content of a text. */
  contentOf(key: string, text: string): Parsed<Content> {
    const known = this.#kept.get(key);
    if (known?.text === text) return known.content;
    const isKept = key.length + text.length <= keptTextLengthMax;
    const content = jsonContent(text, isKept);
    if (isKept) this.#kept.set(key, { text, content });
    return content;
  }
}
