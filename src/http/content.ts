import type { Parsed } from '../domain/problem.ts';
import type { Body, Rendition } from './body.ts';
import type { Compression } from './compress.ts';
import type { BodyFormat } from './negotiation.ts';
import type { Wishes } from './wishes.ts';

/** A body, and what its answers say besides what the body says itself. */
export interface Content {
  readonly body: Body;
  /** Names and values in turn; a 304 has them as well. */
  readonly headers: readonly string[];
  /** When it last changed, in epoch milliseconds and whole seconds, where that is known. */
  readonly lastModified?: number | undefined;
}

/** Where the contents of one path come from, whichever way their answers take to the client. */
export interface ContentSource {
  /** Without the base path. */
  readonly path: string;
  /**
   * What a query asks for, as it was sent. At once where it is at hand, as nearly always; a promise
   * where it has to be read first.
   */
  find(rawQuery: string, format: BodyFormat): Parsed<Content> | Promise<Parsed<Content>>;
}

/** How a content is answered. */
export type Choice =
  | { readonly is: 'whole'; readonly rendition: Rendition }
  /** The client holds it already. */
  | { readonly is: 'unchanged'; readonly etag: string }
  /** Nothing that is there will do; this has to be made first. */
  | { readonly is: 'to-make'; readonly coding: Compression }
  | { readonly is: 'unacceptable' };

/**
 * Chooses the coding that suits a client best, or nothing but a head when the client holds the content
 * already: then nothing is rendered or compressed.
 *
 * @param now in epoch milliseconds; `If-Modified-Since` with a later date is ignored.
 *
 * Sources: RFC 9110 12.5.3, 13.1.2, 13.1.3, 13.2.2.
 */
export function choose(content: Content, wishes: Wishes, now: number): Choice {
  const { body } = content;
  const { codings, ifNoneMatch } = wishes;
  if (ifNoneMatch !== undefined) {
    const etag = body.pickHeld(ifNoneMatch, codings);
    if (etag !== undefined) return { is: 'unchanged', etag };
  }
  const rendition = body.pick(codings);
  if (rendition !== undefined) {
    // A date is looked at only where no tag was sent, and names no coding, so any will do.
    const isUnchanged = ifNoneMatch === undefined && isNoNewer(content, wishes, now);
    return isUnchanged ? { is: 'unchanged', etag: rendition.etag } : { is: 'whole', rendition };
  }
  const [coding] = codings;
  return coding === undefined || coding === 'identity'
    ? { is: 'unacceptable' }
    : { is: 'to-make', coding };
}

/** Whether a content is no newer than the date of a client, which a client cannot have from the future. */
function isNoNewer({ lastModified }: Content, { ifModifiedSince }: Wishes, now: number): boolean {
  if (lastModified === undefined || ifModifiedSince === undefined) return false;
  return lastModified <= ifModifiedSince && ifModifiedSince <= now;
}
