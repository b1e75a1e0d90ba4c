import type { Parsed } from '../../domain/values/problem.ts';
import { Body } from '../content/body.ts';
import type { Content } from '../content/content.ts';
import { mediaTypeOf } from '../content/negotiation.ts';
import { Fields } from '../handler/fields.ts';

/**
 * A body of JSON text as a content.
 *
 * @param isKept whether it answers further requests. If not, it is not worth compressing.
 */
export function jsonContent(text: string, isKept = true): Parsed<Content> {
  const type = mediaTypeOf('json');
  const body = new Body({ type, parts: [Buffer.from(text)], mayCompress: () => isKept });
  return contentOf(body);
}

/** A body without further fields as a content. */
export function contentOf(body: Body): Parsed<Content> {
  return { ok: true, value: { body, fields: Fields.none } };
}
