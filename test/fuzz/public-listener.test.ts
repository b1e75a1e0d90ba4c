import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { connect } from 'node:net';
import { test } from 'node:test';

import * as fc from 'fast-check';

import { assertError } from '../support/contract.ts';
import { startPizarra, temporaryDirectory } from '../support/program.ts';
import { fuzzCases } from './requests.ts';
import type { FuzzCase } from './requests.ts';

/** How many requests are sent: a part of every test run, or `npm run test:fuzz`. */
const requestsMin = Number(process.env['FUZZ_REQUESTS'] ?? 20_000);

/** Another run of the same requests: `FUZZ_SEED=… npm run test:fuzz`. */
const seed = Number(process.env['FUZZ_SEED'] ?? Date.now() % 2 ** 31);

/** An answer that takes longer is taken for a hang: more than the server's own limits of time. */
const hangMs = 20_000;

const casesPerBatch = 500;
const connectionsMax = 16;

/** How much more memory a server may take at the end than once it was warm. */
const growthBytesMax = 96 * 2 ** 20;

/** From how many requests on the memory is judged; before, it is still growing into its caches. */
const judgedFrom = 100_000;

const expectedStatuses = new Set([200, 304, 308, 400, 401, 404, 405, 406, 408, 414, 431]);

/** All that a server says to these bytes, until it has said everything. */
function exchange(port: number, { bytes }: FuzzCase, place: number): Promise<string> {
  return new Promise((resolve, reject) => {
    // From many addresses, so that ports do not run out.
    const localAddress = `127.0.0.${2 + (place % 200)}`;
    const socket = connect({ port, host: '127.0.0.1', localAddress });
    const hang = setTimeout(() => {
      socket.destroy();
      reject(new Error('no end after 20 s'));
    }, hangMs);
    let text = '';
    socket.setEncoding('latin1').on('data', (chunk: string) => {
      text += chunk;
      // A stream has no end of its own.
      if (/content-type: text\/event-stream/i.test(chunk)) socket.destroy();
    });
    // A reset is how a server says that it reads no further.
    socket.on('error', () => undefined);
    socket.on('close', () => {
      clearTimeout(hang);
      resolve(text);
    });
    socket.end(bytes);
  });
}

/** Fails unless what came back is answers of the contract, one after the other and nothing else. */
function assertAnswers(text: string): void {
  let rest = text.replaceAll(/HTTP\/1\.1 100 Continue\r\n\r\n/g, '');
  while (rest !== '') {
    const headEnd = rest.indexOf('\r\n\r\n');
    const head = rest.slice(0, headEnd);
    const status = Number(/^HTTP\/1\.1 (\d{3}) [^\r\n]*\r\n/.exec(head)?.[1]);
    assert.ok(headEnd > 0 && expectedStatuses.has(status), `answered ${rest.slice(0, 80)}`);
    const header = (name: string): string | undefined =>
      new RegExp(`^${name}: (.*)$`, 'im').exec(head)?.[1];
    assert.equal(header('x-content-type-options'), 'nosniff');
    assert.equal(header('server') ?? header('x-powered-by'), undefined);
    const after = rest.slice(headEnd + 4);
    if (header('content-type')?.startsWith('text/event-stream') === true) return;
    // An answer to HEAD has a length and no body.
    const isBodyless = status === 304 || after === '' || after.startsWith('HTTP/1.1 ');
    const length = isBodyless ? 0 : Number(header('content-length'));
    assert.ok(length <= after.length, 'an answer ended in the middle');
    const body = Buffer.from(after.slice(0, length), 'latin1').toString('utf8');
    if (status >= 400) assertError({ status, header, body }, isBodyless ? 'HEAD' : 'GET');
    rest = after.slice(length);
  }
}

/** What a process takes in memory, in bytes, as Linux says; undefined elsewhere. */
function memoryOf(pid: number): number | undefined {
  try {
    const status = readFileSync(`/proc/${pid}/status`, 'utf8');
    return Number(/^VmRSS:\s+(\d+) kB/m.exec(status)?.[1]) * 1024;
  } catch {
    return undefined;
  }
}

function mib(bytes: number | undefined): string {
  return `${Math.round((bytes ?? 0) / 2 ** 20)} MiB`;
}

test(
  'whatever is sent to it, a running service answers what the contract says, without 5xx or hang',
  {
    timeout: 24 * 3_600_000,
  },
  async (t) => {
    t.diagnostic(`seed ${seed}`);
    await using directory = await temporaryDirectory();
    await using service = await startPizarra([
      '--data',
      directory.path,
      '--failures-per-address',
      'unlimited',
      '--access-log',
      'off',
    ]);
    const cases = fuzzCases(await service.firstKey());
    const port = Number(new URL(service.url).port);
    let sent = 0;
    let warm: number | undefined;
    for (let batch = 0; ; batch += 1) {
      const waiting = fc.sample(cases, { seed: seed + batch, numRuns: casesPerBatch });
      const send = async (place: number): Promise<void> => {
        for (let one = waiting.pop(); one !== undefined; one = waiting.pop()) {
          try {
            assertAnswers(await exchange(port, one, waiting.length + place));
          } catch (cause) {
            const bytes = JSON.stringify(one.bytes.toString('latin1'));
            throw new Error(`seed ${seed}, batch ${batch}: to ${bytes}`, { cause });
          }
          sent += one.requests;
        }
      };
      await Promise.all(Array.from({ length: connectionsMax }, (_, place) => send(place)));
      if (sent >= requestsMin) break;
      if (warm === undefined && sent >= requestsMin / 5) warm = memoryOf(service.child.pid ?? 0);
    }
    const last = memoryOf(service.child.pid ?? 0);
    t.diagnostic(
      `${sent} requests; memory ${mib(warm)} after a fifth of them, ${mib(last)} at the end`,
    );
    assert.doesNotMatch(service.stderr(), /"level":"(?:error|fatal)"/);
    assert.equal(service.child.exitCode, null);
    if (sent >= judgedFrom && warm !== undefined && last !== undefined) {
      assert.ok(last - warm < growthBytesMax, `memory grew from ${mib(warm)} to ${mib(last)}`);
    }
  },
);
