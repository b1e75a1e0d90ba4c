import type { Parsed } from '../../domain/values/problem.ts';
import type { TableFormat } from '../../wire/params/table-format.ts';
import type { Fields } from '../handler/fields.ts';
import type { Caller } from '../handler/visit.ts';
import type { Body, Representation } from './body.ts';
import type { Compression } from './compress.ts';
import type { Preferences } from './preferences.ts';

/** A body, and what its responses say besides what the body says itself. */
export interface Content {
  readonly body: Body;
  /** Fields of the response. A 304 has them as well. */
  readonly fields: Fields;
  /** When it last changed, in epoch milliseconds and whole seconds, where that is known. */
  readonly lastModified?: number | undefined;
}

/**
 * The date of what was read at an instant, both in epoch milliseconds: the end of its second, as an HTTP date has
 * whole seconds. Until it has passed, what was read may still change, and has no date.
 */
export function lastModifiedOf(readAt: number): number {
  return (Math.floor(readAt / 1000) + 1) * 1000;
}

/** The content that was found, a problem, or a promise of either where it has to be read first. */
export type Found = Parsed<Content> | Promise<Parsed<Content>>;

/** Finds the contents of one path. */
export interface ContentSource {
  /** Without the base path. */
  readonly path: string;
  /** The names of the parameters that it reads. Others are no part of the query. */
  readonly parameters: readonly string[];
  /**
   * The content that a query requests, in a format. Its parameters are as sent. `formato` and `decimal` are not among
   * them.
   */
  find(rawQuery: string, format: TableFormat, caller: Caller): Found;
}

/** The contents of a path that are tables: rows of fields, in JSON and in both styles of CSV. */
export type TableSource = ContentSource;

/** How a content is answered. */
export type Choice =
  | { readonly is: 'whole'; readonly representation: Representation }
  /** The client has stored it already. */
  | { readonly is: 'unchanged'; readonly tag: Fields }
  /** No form that exists is acceptable: this one has to be made first. */
  | { readonly is: 'to-make'; readonly coding: Compression }
  | { readonly is: 'unacceptable' };

/**
 * Chooses the best encoding for a client, or a head without a body when the client has stored the
 * content already. In that case nothing is rendered or compressed.
 *
 * @param now in epoch milliseconds. `If-Modified-Since` with a later date is ignored.
 *
 * Sources: RFC 9110 12.5.3, 13.1.2, 13.1.3, 13.2.2.
 */
export function choose(content: Content, preferences: Preferences, now: number): Choice {
  const { body } = content;
  const { codings, ifNoneMatch } = preferences;
  if (ifNoneMatch !== undefined) {
    const tag = body.pickStored(ifNoneMatch, codings);
    if (tag !== undefined) return { is: 'unchanged', tag };
  }
  const representation = body.pick(codings);
  if (representation !== undefined) {
    // The date counts only if the client sent no tag. A date names no encoding, so it applies to each.
    const isUnchanged = ifNoneMatch === undefined && isNoNewer(content, preferences, now);
    return isUnchanged
      ? { is: 'unchanged', tag: body.tagIn(representation.coding) }
      : { is: 'whole', representation };
  }
  const [coding] = codings;
  return coding === undefined || coding === 'identity'
    ? { is: 'unacceptable' }
    : { is: 'to-make', coding };
}

/** Whether a content is no newer than a date that the client sent and that is not in the future. */
function isNoNewer(
  { lastModified }: Content,
  { ifModifiedSince }: Preferences,
  now: number,
): boolean {
  if (lastModified === undefined || ifModifiedSince === undefined) return false;
  return lastModified <= ifModifiedSince && ifModifiedSince <= now;
}
