import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { connect, constants, type ClientHttp2Session, type OutgoingHttpHeaders } from 'node:http2';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { test } from 'node:test';

import * as fc from 'fast-check';

import { makeCertificate } from '../support/program/make-certificate.ts';
import { startPizarra, temporaryDirectory } from '../support/program/program.ts';
import { assertAnswer, assertAnswers, exchange, hangMs } from '../support/http/exchange-bytes.ts';
import { authorizationOf, fuzzCases, request, type Request } from '../support/http/requests.ts';
import { deferred } from '../support/wait.ts';

/** Number of requests over HTTP/2. A tenth of it is sent over HTTP/1.1 with TLS, with a handshake each. */
const requestsMin = Math.ceil(Number(process.env['FUZZ_REQUESTS'] ?? 10_000) / 40);

/** The seed. `FUZZ_SEED=… npm run test:fuzz` repeats the same requests. */
const seed = Number(process.env['FUZZ_SEED'] ?? Date.now() % 2 ** 31);

const concurrent = 8;

/**
 * Number of requests over one HTTP/2 connection. The service closes a connection after 1,000 invalid frames
 * (`maxSessionInvalidFrames` of Node), and about a fifth of the requests are invalid there.
 */
const requestsPerSession = 1_000;

/** Fields that HTTP/2 does not allow (RFC 9113 8.2.2). Node's client refuses to send them. */
const connectionFields = /^(?:connection|upgrade|keep-alive|proxy-connection|te|http2-settings)$/i;

/** The header fields of a request in HTTP/2. */
function headOf(one: Request, apiKey: string): OutgoingHttpHeaders {
  const head: OutgoingHttpHeaders = { ':method': one.method, ':authority': 'x' };
  if (one.method !== 'CONNECT') head[':path'] = `${one.path}?${one.query}`;
  const authorization = authorizationOf(one, apiKey);
  if (authorization !== undefined) head['authorization'] = authorization;
  for (const line of one.headers) {
    const [name = '', value = ''] = line.split(': ');
    if (!connectionFields.test(name)) head[name.toLowerCase()] ??= value;
  }
  return head;
}

/**
 * Sends one request, and checks the response against the contract. Returns false when the protocol refuses the
 * request (RFC 9113 8.1.1). The stream is then reset without a response.
 */
async function askHttp2(
  session: ClientHttp2Session,
  one: Request,
  apiKey: string,
): Promise<boolean> {
  const stream = session.request(headOf(one, apiKey), { endStream: true });
  const hang = setTimeout(() => stream.destroy(new Error('no end after three minutes')), hangMs);
  const { promise: closed, resolve, reject } = deferred<void>();
  const isMalformed = (): boolean => stream.rstCode === constants.NGHTTP2_PROTOCOL_ERROR;
  stream.on('error', (fault) => (isMalformed() ? undefined : reject(fault))).on('close', resolve);
  const answered = deferred<OutgoingHttpHeaders>();
  stream.on('response', (headers) => answered.resolve(headers as OutgoingHttpHeaders));
  const headers = await Promise.race([answered.promise, closed]);
  if (headers === undefined) {
    clearTimeout(hang);
    assert.ok(isMalformed(), 'a valid request got no response');
    return false;
  }
  const header = (name: string): string | undefined => headers[name]?.toString();
  const isStream = header('content-type')?.startsWith('text/event-stream') === true;
  if (isStream) stream.close();
  const body = isStream ? '' : await text(stream);
  await closed;
  clearTimeout(hang);
  const answer = { status: Number(headers[':status']), header, body };
  assertAnswer(answer, { mayOpen: one.key === 'right', isBodyless: body === '' });
  return true;
}

/** Runs a task for each case, several at a time. An error names its case. */
async function forAll<T>(cases: readonly T[], task: (one: T, place: number) => Promise<void>) {
  const waiting = [...cases];
  const work = async (): Promise<void> => {
    for (let one = waiting.pop(); one !== undefined; one = waiting.pop()) {
      try {
        await task(one, waiting.length);
      } catch (cause) {
        throw new Error(`seed ${seed}: to ${JSON.stringify(one)}`, { cause });
      }
    }
  };
  await Promise.all(Array.from({ length: concurrent }, work));
}

test('over TLS, a running service responds to any request as the contract describes, over HTTP/2 and HTTP/1.1, without 5xx or a hang', async (t) => {
  t.diagnostic(`seed ${seed}`);
  const pair = makeCertificate();
  if (pair === undefined) return t.skip('openssl is not installed');
  await using directory = await temporaryDirectory();
  const { path } = directory;
  await writeFile(join(path, 'cert.pem'), pair.cert);
  await writeFile(join(path, 'key.pem'), pair.key);
  const files = ['--tls-cert', join(path, 'cert.pem'), '--tls-key', join(path, 'key.pem')];
  const quiet = ['--failures-per-address', 'unlimited', '--access-log', 'off'];
  await using service = await startPizarra(['--store', join(path, 'data'), ...files, ...quiet]);
  const apiKey = await service.firstKey();
  const port = Number(new URL(service.url).port);

  const requests = fc.sample(request, { seed, numRuns: requestsMin });
  let answered = 0;
  for (let from = 0; from < requests.length; from += requestsPerSession) {
    const session = connect(`https://127.0.0.1:${port}`, { rejectUnauthorized: false });
    await forAll(requests.slice(from, from + requestsPerSession), async (one) => {
      if (await askHttp2(session, one, apiKey)) answered += 1;
    });
    session.destroy();
  }
  t.diagnostic(`${answered} of ${requestsMin} requests over HTTP/2 got a response`);
  assert.ok(answered > requestsMin / 2);

  const cases = fc.sample(fuzzCases(apiKey), { seed, numRuns: Math.ceil(requestsMin / 10) });
  await forAll(cases, async (one, place) => {
    assertAnswers(await exchange({ port, isTls: true }, one, place), one);
  });
  assert.equal(service.child.exitCode, null, service.stderr().slice(-2_000));
  assert.doesNotMatch(service.stderr(), /"level":(?:50|60)/);
});
