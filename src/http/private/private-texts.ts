import type { ErrorAnswer, ErrorName } from '../../wire/error-texts.ts';
import { errorToAnswer } from '../exchange/answer.ts';
import type { Answer } from '../exchange/answer.ts';
import type { Fields } from '../exchange/fields.ts';
import { expansionRatioMax } from './push-body.ts';

/** Errors of the private listener. Its clients are the operator's own programs. */
const privateErrors = {
  'request-malformed': {
    status: 400,
    text: 'The request is malformed: it needs HTTP/1.0 or newer, one Host, and no transfer coding but chunked.',
  },
  'body-unexpected': { status: 400, text: 'This path takes no body.' },
  'key-missing': {
    status: 401,
    text: 'A key is missing: send "Authorization: Bearer KEY", with a key made by "pizarra keys create".',
  },
  'key-invalid': {
    status: 401,
    text: 'The key opens nothing here: it is mistyped, revoked, expired, or of another scope.',
  },
  'path-unknown': { status: 404, text: 'There is no such path here.' },
  'method-not-allowed': { status: 405, text: 'This path does not answer to this method.' },
  'request-too-slow': { status: 408, text: 'The request took too long to arrive.' },
  'target-too-long': { status: 414, text: 'The request line is too long.' },
  'headers-too-large': { status: 431, text: 'The request headers are too large.' },
  'coding-unknown': {
    status: 415,
    text: 'The body has a Content-Encoding other than gzip and identity.',
  },
  'coding-broken': {
    status: 400,
    text: 'The body is not gzip, or was cut. What is reported was read before.',
  },
  'body-too-long': {
    status: 413,
    text: 'The body is longer than updatesBodyBytesMax. What is reported was read before; send the rest by itself.',
  },
  'body-expands-too-far': {
    status: 413,
    text: `The body expands to more than ${expansionRatioMax} times its compressed size. What is reported was read before; send the rest in parts or uncompressed.`,
  },
  'pushes-too-many': {
    status: 503,
    text: 'The maximum number of pushes is under way. Send this one again.',
  },
  'not-stored': {
    status: 503,
    text: 'The store failed or is not open yet; what is not counted here may not be durable. Send the whole body again: what it repeats changes nothing.',
  },
  'not-writer': {
    status: 503,
    text: 'This node does not write. Send the whole body to the node that does.',
  },
  'store-unavailable': {
    status: 503,
    text: 'The store does not respond. Send the request again.',
  },
  'keys-unconfirmed': {
    status: 503,
    text: 'The store has not confirmed the keys for longer than keysStaleMaxSeconds. Send the request again.',
  },
  draining: { status: 503, text: 'The service is stopping. Send the request again.' },
  saturated: { status: 503, text: 'The service has too many requests. Send this one again.' },
  failure: { status: 500, text: 'The service failed. The log has the reason.' },
} as const;

type PrivateErrorName = keyof typeof privateErrors;

/** An error as an answer, with a report beside its text. */
export function privateAnswer(
  name: PrivateErrorName,
  {
    report = {},
    fields = [],
  }: { readonly report?: object; readonly fields?: readonly Fields[] } = {},
): Answer {
  const { status, text } = privateErrors[name];
  return errorToAnswer({ status, body: JSON.stringify({ error: text, ...report }) }, fields);
}

/** The errors that both listeners have, in the words of this one. */
export function privateError(name: ErrorName, ..._values: unknown[]): ErrorAnswer {
  if (!isPrivate(name)) throw new Error(`the private listener has no error ${name}`);
  const { status, text } = privateErrors[name];
  return { status, body: JSON.stringify({ error: text }) };
}

function isPrivate(name: string): name is PrivateErrorName {
  return Object.hasOwn(privateErrors, name);
}
