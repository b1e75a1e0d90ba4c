import assert from 'node:assert/strict';

import { assertError } from '../support/http/contract.ts';
import type { Response } from '../support/http/response-reader.ts';

/** Fields with a single value. A second line of them makes the message ambiguous (RFC 9110 5.3). */
const singular = [
  'access-control-allow-origin',
  'cache-control',
  'connection',
  'content-encoding',
  'content-length',
  'content-type',
  'date',
  'etag',
  'last-modified',
  'location',
  'retry-after',
  'strict-transport-security',
  'transfer-encoding',
  'vary',
  'www-authenticate',
];

/** Fields about a connection, which HTTP/2 must not carry (RFC 9113 8.2.2). */
const connectionFields = [
  'connection',
  'keep-alive',
  'proxy-connection',
  'transfer-encoding',
  'upgrade',
];

const imfFixdate =
  /^(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun), \d{2} (?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec) \d{4} \d{2}:\d{2}:\d{2} GMT$/;
const entityTag = /^(?:W\/)?"[\x21\x23-\x7e]*"$/;

/**
 * Fails unless a response meets the requirements for every response: those of RFC 9110 and 9113 for its status,
 * and those of the contract for errors.
 */
export function assertWellFormed(
  response: Response,
  {
    method,
    carrier,
  }: {
    readonly method: string;
    readonly carrier: {
      readonly version: string;
      readonly isTls: boolean;
      readonly isBehindProxy?: boolean;
      /** Whether it is a response of the private listener, to which the contract does not apply. */
      readonly isPrivate?: boolean;
    };
  },
): void {
  const { status, header, fields, body } = response;
  for (const name of singular) {
    const lines = fields.filter(([own]) => own === name).length;
    assert.ok(lines <= 1, `RFC 9110 5.3: ${lines} lines of ${name}`);
  }

  assert.match(header('date') ?? '', imfFixdate, `RFC 9110 6.6.1: Date of a ${status}`);
  for (const name of ['last-modified', 'expires']) {
    assert.match(
      header(name) ?? 'Thu, 01 Jan 1970 00:00:00 GMT',
      imfFixdate,
      `RFC 9110 5.6.7: ${name}`,
    );
  }
  assert.match(header('etag') ?? '""', entityTag, 'RFC 9110 8.8.3');

  if (method === 'HEAD' || status === 204 || status === 304) {
    assert.equal(body.length, 0, `RFC 9110 6.4.1: a body of ${method} ${status}`);
  } else if (header('content-length') !== undefined) {
    assert.equal(Number(header('content-length')), body.length, 'RFC 9110 8.6');
  }

  const isBad = { 401: 'www-authenticate', 405: 'allow', 429: 'retry-after', 503: 'retry-after' };
  const required = (isBad as Record<number, string>)[status];
  if (required !== undefined && !(status === 503 && carrier.isPrivate === true)) {
    assert.ok(header(required) !== undefined, `RFC 9110 15.5, 15.6: ${status} without ${required}`);
  }
  if (status === 401)
    assert.match(header('www-authenticate') ?? '', /^Bearer(?: |$)/, 'RFC 6750 3');

  const vary = (header('vary') ?? '').toLowerCase().split(/ *, */);
  assert.equal(new Set(vary).size, vary.length, 'a field twice in Vary');

  if (carrier.version === '2') {
    for (const name of connectionFields) {
      assert.equal(header(name), undefined, `RFC 9113 8.2.2: ${name}`);
    }
    assert.ok(
      fields.every(([name]) => name === name.toLowerCase()),
      'RFC 9113 8.2.1',
    );
  }

  // Behind a proxy, the forwarded headers of each request tell whether the client used TLS.
  if (carrier.isBehindProxy !== true) {
    assert.equal(
      header('strict-transport-security') !== undefined,
      carrier.isTls,
      'RFC 6797 7.1 and 7.2: Strict-Transport-Security over TLS, and only there',
    );
  }
  assert.equal(header('x-content-type-options'), 'nosniff');
  assert.equal(header('server') ?? header('x-powered-by'), undefined);
  if (status >= 400 && carrier.isPrivate !== true) {
    const text = body.toString('utf8');
    assertError({ status, header, body: text }, method === 'HEAD' ? 'HEAD' : 'GET');
  }
}
