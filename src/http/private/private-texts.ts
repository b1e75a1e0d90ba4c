import type { ErrorResponse, ErrorName } from '../../wire/texts/error-texts.ts';
import { errorDraft, type ResponseDraft, type Fields } from '../handler/response.ts';

/**
 * Maximum ratio of the decoded to the compressed size of a body. It applies once more than
 * a mebibyte has been decoded. Measured: updates compress 5 to 8 times, 50 times where only
 * their instants differ; a body without updates, a thousand times.
 */
export const expansionRatioMax = 100;

/** Errors of the private listener. Its clients are the operator's own programs. */
const privateErrors = {
  'request-malformed': {
    status: 400,
    text: 'The request is malformed. It must be HTTP/1.0 or newer, with one Host header and no transfer coding other than chunked.',
  },
  'body-unexpected': { status: 400, text: 'A request to this path must not have a body.' },
  'key-missing': {
    status: 401,
    text: 'The key is missing. Send "Authorization: Bearer KEY", with a key of the scope of this path. "pizarra keys create --name NAME --scope SCOPE" creates one.',
  },
  'key-invalid': {
    status: 401,
    text: 'The key is not valid here: it is mistyped, unknown, revoked, expired, or has another scope.',
  },
  'plain-http': {
    status: 403,
    text: 'Plain HTTP is refused here, because it sends the key unencrypted. Use HTTPS, or send the request through a proxy that privateBehindProxy names.',
  },
  'path-unknown': { status: 404, text: 'This path does not exist on the private listener.' },
  'path-mistyped': {
    status: 404,
    text: 'This path does not exist on the private listener. Check its spelling.',
  },
  'method-not-allowed': {
    status: 405,
    text: 'This path does not support this method. The Allow header has the valid ones.',
  },
  'request-too-slow': { status: 408, text: 'The request did not arrive in time.' },
  'target-too-long': { status: 414, text: 'The request line is too long.' },
  'headers-too-large': { status: 431, text: 'The request headers are too large.' },
  'coding-unknown': {
    status: 415,
    text: 'The body has a Content-Encoding other than gzip and identity.',
  },
  'coding-broken': {
    status: 400,
    text: 'The body is not valid gzip, or is truncated. The counts are of the updates before that place.',
  },
  'body-too-long': {
    status: 413,
    text: 'The body is longer than updatesBodyBytesMax. The counts are of the updates before the limit; send the rest in another request.',
  },
  'body-expands-too-far': {
    status: 413,
    text: `The body expands to more than ${expansionRatioMax} times its compressed size. The counts are of the updates before the limit; send the rest in parts or uncompressed.`,
  },
  'pushes-too-many': {
    status: 503,
    text: 'Too many pushes are in progress. Send this one again.',
  },
  'not-stored': {
    status: 503,
    text: 'The store failed or is not open yet. Updates that are not counted here may not be durable. Send the whole body again: repeated updates change nothing.',
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
  saturated: { status: 503, text: 'The service is overloaded. Send the request again.' },
  failure: { status: 500, text: 'The service failed. The log has the reason.' },
} as const;

type PrivateErrorName = keyof typeof privateErrors;

/** An error as an answer, with a report beside its text. */
export function privateDraft(
  name: PrivateErrorName,
  {
    report = {},
    fields = [],
  }: { readonly report?: object; readonly fields?: readonly Fields[] } = {},
): ResponseDraft {
  const { status, text } = privateErrors[name];
  return errorDraft({ status, body: JSON.stringify({ error: text, ...report }) }, fields);
}

/** An error that both listeners have, with the text of the private listener. */
export function privateError(name: ErrorName, ..._values: unknown[]): ErrorResponse {
  if (!isPrivate(name)) throw new Error(`the private listener has no error ${name}`);
  const { status, text } = privateErrors[name];
  return { status, body: JSON.stringify({ error: text }) };
}

function isPrivate(name: string): name is PrivateErrorName {
  return Object.hasOwn(privateErrors, name);
}
