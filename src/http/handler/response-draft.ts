import type { Writable } from 'node:stream';

import type { ErrorResponse } from '../../wire/texts/error-texts.ts';
import { missingHeader } from '../../wire/texts/missing-header.ts';
import { Fields } from './fields.ts';

/** The media type of every JSON response, errors included. */
export const jsonType = 'application/json; charset=utf-8';

/**
 * Bytes as they are written: in order, a text standing for the bytes of its Latin-1 form. A short body
 * is one text, because it is then sent together with the head in one write.
 */
export type BodyParts = readonly (string | Buffer)[];

/** Where a response without an end is written to. */
export type StreamSink = Pick<Writable, 'write' | 'end' | 'destroy' | 'on'>;

/**
 * What a step or a route decides about a request. The handler adds the fields that every response
 * has, and leaves out the body where the method is HEAD.
 */
export interface ResponseDraft {
  readonly status: number;
  readonly fields: readonly Fields[];
  readonly body: BodyParts;
  /** The request fields that the answer depends on, for `Vary`. */
  readonly vary?: string;
  /** Writes the body of a response that lasts until the client leaves. The connection closes with it. */
  readonly stream?: (sink: StreamSink) => void;
  /** Whether the connection is of no further use. */
  readonly closes?: boolean;
  /** Of an error: what it was made of, for a path whose errors have another form. */
  readonly made?: { readonly of: ErrorResponse; readonly fields: readonly Fields[] };
}

/** Up to this length a body is one text, so that it is sent together with the head in one write. */
export const textBytesMax = 8 * 1024;

/** A body of text with its media type and length. */
export function textDraft(
  status: number,
  {
    type,
    text,
    fields = [],
  }: { readonly type: string; readonly text: string; readonly fields?: readonly Fields[] },
): ResponseDraft {
  const length = Buffer.byteLength(text);
  const fieldsOfAll = [bodyFields(type, length), ...fields];
  if (length > textBytesMax) return { status, fields: fieldsOfAll, body: [Buffer.from(text)] };
  // ASCII is the same in Latin-1.
  const isAscii = length === text.length;
  const body = isAscii ? text : Buffer.from(text).toString('latin1');
  return { status, fields: fieldsOfAll, body: [body] };
}

/** A body that is JSON text already. */
export function jsonDraft(
  text: string,
  status = 200,
  fields: readonly Fields[] = [],
): ResponseDraft {
  return textDraft(status, { type: jsonType, text, fields });
}

/** An error, with fields of its own. */
export function draftOf(error: ErrorResponse, fields: readonly Fields[] = []): ResponseDraft {
  return { ...jsonDraft(error.body, error.status, fields), made: { of: error, fields } };
}

/** A draft with its error, if it is one, in another form. The form may be the same. */
export function reformed(
  draft: ResponseDraft,
  form: (error: ErrorResponse) => ErrorResponse,
): ResponseDraft {
  if (draft.made === undefined) return draft;
  const { of, fields } = draft.made;
  const other = form(of);
  return other === of ? draft : { ...draft, ...draftOf(other, fields) };
}

/** The fields that describe a body. */
export function bodyFields(type: string, length: number, more: readonly string[] = []): Fields {
  return new Fields(['content-type', type, 'content-length', String(length), ...more]);
}

/** The field that names tickers of the request that are not in the response (contract 4.1.5). */
export function missingFields(missing: readonly string[]): Fields {
  return missingNames({ 'missing-especies': missing });
}

/** The fields that name what a response lacks, each with its names, in the form of contract 4.1.5. */
export function missingNames(names: Readonly<Record<string, readonly string[]>>): Fields {
  const lacking = Object.entries(names).filter(([, missing]) => missing.length > 0);
  if (lacking.length === 0) return Fields.none;
  return new Fields(lacking.flatMap(([field, missing]) => [field, missingHeader(missing)]));
}

/** When a client may send the request again. */
export function retryAfter(seconds: number): Fields {
  return new Fields(['retry-after', String(seconds)]);
}

/** What a route throws that cannot answer in time: the client gets 503 with `Retry-After`. */
export class Overloaded extends Error {}
