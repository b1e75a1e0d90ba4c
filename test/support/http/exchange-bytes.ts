import assert from 'node:assert/strict';
import { connect as connectTcp } from 'node:net';
import { connect as connectTls } from 'node:tls';

import { assertError, type CheckedAnswer } from './contract.ts';
import { writePieces } from './write-pieces.ts';
import type { FuzzCase } from './requests.ts';

/** Maximum time of an exchange, in milliseconds. It is longer than the timeouts of the server. */
export const hangMs = 180_000;

const expectedStatuses = new Set([200, 304, 308, 400, 401, 404, 405, 406, 408, 414, 431]);

/** Statuses that only a request with a valid key gets, because they reveal which paths and methods exist. */
const statusesWithKey = new Set([404, 405]);

/** Sends bytes, in pieces that are cut at fractions of their length. Returns everything that the server sends. */
export function exchange(
  { port, isTls = false }: { readonly port: number; readonly isTls?: boolean },
  { bytes }: FuzzCase,
  place: number,
  cuts: readonly number[] = [],
): Promise<string> {
  return new Promise((resolve, reject) => {
    // Use many local addresses, so that ports do not run out.
    const localAddress = `127.0.0.${2 + (place % 200)}`;
    const at = { port, host: '127.0.0.1', localAddress };
    const socket = isTls
      ? connectTls({ ...at, rejectUnauthorized: false, ALPNProtocols: ['http/1.1'] })
      : connectTcp(at);
    const hang = setTimeout(() => {
      socket.destroy();
      reject(new Error('no end after three minutes'));
    }, hangMs);
    let text = '';
    socket.setEncoding('latin1').on('data', (chunk: string) => {
      text += chunk;
      // A stream does not end by itself.
      if (/content-type: text\/event-stream/i.test(chunk)) socket.destroy();
    });
    // A server that does not read further resets the connection.
    socket.on('error', () => undefined);
    socket.on('close', () => {
      clearTimeout(hang);
      resolve(text);
    });
    const write = async (): Promise<void> => {
      await writePieces(socket, bytes, cuts);
      socket.end();
    };
    socket.on(isTls ? 'secureConnect' : 'connect', () => void write());
  });
}

/** Fails unless the received bytes are a sequence of responses of the contract and nothing else. */
export function assertAnswers(text: string, { mayOpen }: Pick<FuzzCase, 'mayOpen'>): void {
  let rest = text.replaceAll(/HTTP\/1\.1 100 Continue\r\n\r\n/g, '');
  while (rest !== '') {
    const headEnd = rest.indexOf('\r\n\r\n');
    const head = rest.slice(0, headEnd);
    const status = Number(/^HTTP\/1\.1 (\d{3}) [^\r\n]*\r\n/.exec(head)?.[1]);
    assert.ok(headEnd > 0 && expectedStatuses.has(status), `answered ${rest.slice(0, 80)}`);
    const header = (name: string): string | undefined =>
      new RegExp(`^${name}: (.*)$`, 'im').exec(head)?.[1];
    const after = rest.slice(headEnd + 4);
    const isStream = header('content-type')?.startsWith('text/event-stream') === true;
    // A response to HEAD has a length and no body.
    const isBodyless = status === 304 || after === '' || after.startsWith('HTTP/1.1 ');
    const length = isBodyless || isStream ? 0 : Number(header('content-length'));
    assert.ok(length <= after.length, 'the response is incomplete');
    const body = Buffer.from(after.slice(0, length), 'latin1').toString('utf8');
    assertAnswer({ status, header, body }, { mayOpen, isBodyless });
    if (isStream) return;
    rest = after.slice(length);
  }
}

/** Fails unless a response is one of the contract, and has no content that needs a key without one. */
export function assertAnswer(
  answer: CheckedAnswer,
  { mayOpen, isBodyless }: { readonly mayOpen: boolean; readonly isBodyless: boolean },
): void {
  const { status, body } = answer;
  assert.ok(expectedStatuses.has(status), `answered ${status}`);
  assert.equal(answer.header('x-content-type-options'), 'nosniff');
  assert.equal(answer.header('server') ?? answer.header('x-powered-by'), undefined);
  if (status >= 400) assertError(answer, isBodyless ? 'HEAD' : 'GET');
  if (mayOpen) return;
  assert.ok(!statusesWithKey.has(status), `answered ${status} without a key`);
  // Open paths return objects and pages. Quotes are arrays, CSV and streams.
  const type = answer.header('content-type') ?? '';
  assert.doesNotMatch(type, /^text\/(?:csv|plain|event-stream)/);
  assert.ok(
    !type.startsWith('application/json') || !body.startsWith('['),
    'answered without a key',
  );
}
