import { expansionRatioMax } from './push-body.ts';

/** What the private listener says when it does not do what it was asked; its readers are operators. */
export const privateTexts = {
  'key-missing':
    'A key is missing: send "Authorization: Bearer KEY", with a key made by "pizarra keys create".',
  'key-invalid':
    'The key opens nothing here: it is mistyped, revoked, expired, or of another scope.',
  'request-malformed':
    'The request is malformed: it needs HTTP/1.0 or newer, one Host, and no transfer coding but chunked.',
  'path-unknown': 'There is no such path here.',
  'method-not-allowed': 'This path does not answer to this method.',
  'coding-unknown': 'The body has a Content-Encoding other than gzip and identity.',
  'coding-broken': 'The body is not gzip, or was cut. What is reported was read before.',
  'body-too-long':
    'The body is longer than updatesBodyBytesMax. What is reported was read before; send the rest by itself.',
  'body-expands-too-far': `The body expands to more than ${expansionRatioMax} times its compressed size. What is reported was read before; send the rest in parts or uncompressed.`,
  'pushes-too-many': 'As many pushes as there may be are under way. Send this one again.',
  'not-stored':
    'The store failed or is not open yet; what is not counted here may not be durable. Send the whole body again: what it repeats changes nothing.',
  failure: 'The service failed. Its log says how.',
} as const;

/** What one of these is called inside. */
export type PrivateError = keyof typeof privateTexts;
