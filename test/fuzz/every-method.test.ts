import assert from 'node:assert/strict';
import { METHODS } from 'node:http';
import { suite, test } from 'node:test';

import { RatePlans } from '../../src/auth/rate-plans.ts';
import { Certificate } from '../../src/http/carriers/connection/certificate.ts';
import type { HttpObserver } from '../../src/http/handler/request-handler.ts';
import { RateLimits } from '../../src/http/admission/rate-limits.ts';
import { startCarriers, type Request } from '../conformance/carriers.ts';
import { makeCertificate } from '../support/program/make-certificate.ts';
import { parseAnswer } from '../support/http/raw-http.ts';
import { startTestServer, type TestServer } from '../support/http/start-test-server.ts';
import { exchange } from '../support/http/exchange-bytes.ts';

/**
 * Sends every method token in every version, over every carrier, with a valid key, a wrong one and none. Every
 * request needs a valid key, none gets 500, each is counted once, and none floods the log.
 */

const rtspMethods =
  'DESCRIBE ANNOUNCE SETUP PLAY PAUSE TEARDOWN GET_PARAMETER SET_PARAMETER REDIRECT RECORD FLUSH'.split(
    ' ',
  );
const inventedMethods = [
  'FOO',
  'get',
  'Get',
  'GETT',
  'GE',
  'X-Y.Z',
  '!#$%&',
  'PRI',
  'x'.repeat(300),
];
const methods = [...new Set([...METHODS, ...rtspMethods, ...inventedMethods])];
const versions: readonly string[] = [
  ' HTTP/1.1',
  ' HTTP/1.0',
  ' HTTP/0.9',
  ' HTTP/1.2',
  ' HTTP/1',
  ' HTTP/2.0',
  ' HTTP/3.0',
  ' http/1.1',
  ' RTSP/1.0',
  ' RTSP/2.0',
  ' ICE/1.0',
  ' SIP/2.0',
  '',
];
const targets: readonly string[] = ['/cotizaciones?especie=GGAL', '/nada', '*', 'x:443'];
const served = new Set(['GET', 'HEAD']);
const spoken = new Set([' HTTP/1.1', ' HTTP/1.0']);
const unknownKey = 'pz_0000000000000000000000000000001f6Nwi';

/** Maximum number of log lines for one client and one status within a minute. */
const logLinesMax = 20;

const pair = makeCertificate();
const withoutTls = pair === undefined && 'openssl is not installed';

/** Starts a server that counts its responses by status. */
interface CountingServer extends TestServer {
  readonly counted: Map<number, number>;
}

function countingObserver(counted: Map<number, number>): HttpObserver {
  return {
    answered: ({ status }) => counted.set(status, (counted.get(status) ?? 0) + 1),
    keyRefused: () => undefined,
  };
}

async function startCounting(isTls: boolean): Promise<CountingServer> {
  const counted = new Map<number, number>();
  const observer = countingObserver(counted);
  const transport = isTls ? { certificate: new Certificate(pair ?? assert.fail()) } : {};
  const server = await startTestServer({ observer, transport });
  return { ...server, counted };
}

/** Fails unless each response was counted once, and the log has few lines of each client and status. */
function assertAccountedFor(
  statuses: readonly number[],
  counted: ReadonlyMap<number, number>,
  logged: readonly Readonly<Record<string, unknown>>[],
): void {
  const received = new Map<number, number>();
  for (const status of statuses) received.set(status, (received.get(status) ?? 0) + 1);
  assert.deepEqual(
    [...counted].toSorted(([one], [other]) => one - other),
    [...received].toSorted(([one], [other]) => one - other),
    'the responses are counted by status',
  );
  const lines = new Map<string, number>();
  for (const { status, keyId, remote } of logged) {
    const of = JSON.stringify([status, keyId ?? remote]);
    lines.set(of, (lines.get(of) ?? 0) + 1);
  }
  for (const [of, count] of lines) assert.ok(count <= logLinesMax, `${count} lines of ${of}`);
}

suite('every method and version', () => {
  for (const isTls of [false, true]) {
    const name = isTls ? 'HTTP/1 over TLS' : 'HTTP/1';
    test(
      `${name}: the key comes first, there is no 5xx, and each response is counted once`,
      { skip: isTls && withoutTls },
      async () => {
        await using server = await startCounting(isTls);
        const statuses: number[] = [];
        const lines = methods.flatMap((method) =>
          // A handshake takes as long as five requests.
          (isTls && !['GET', 'POST', 'PLAY'].includes(method)
            ? versions.slice(0, 2)
            : versions
          ).flatMap((version) =>
            (served.has(method) ? targets : targets.slice(0, 1)).map((target) => ({
              method,
              target,
              version,
            })),
          ),
        );
        for (const [place, { method, target, version }] of lines.entries()) {
          for (const key of [undefined, unknownKey, server.key]) {
            const own = key === undefined ? '' : `Authorization: Bearer ${key}\r\n`;
            const line = `${method} ${target}${version}`;
            const bytes = Buffer.from(
              `${line}\r\nHost: x\r\n${own}Connection: close\r\n\r\n`,
              'latin1',
            );
            const one = { bytes, requests: 1, mayOpen: key === server.key };
            const { port } = server;
            const text = await exchange({ port, isTls }, one, place);
            const what = `${line}, key ${key === server.key ? 'valid' : key}: ${text.slice(0, 60)}`;
            assert.equal(text.match(/HTTP\/1\.1 \d{3} /g)?.length, 1, what);
            const { status } = parseAnswer(text);
            statuses.push(status);
            const isServed = served.has(method) && spoken.has(version) && target.startsWith('/cot');
            if (key === server.key && isServed) assert.equal(status, 200, what);
            else assert.ok(status >= 400 && status < 500, what);
            if (key !== server.key) assert.ok(status === 400 || status === 401, what);
          }
        }
        assertAccountedFor(statuses, server.counted, server.logged);
      },
    );
  }

  test(
    'HTTP/2: the key comes first, there is no 5xx, and each response is counted once',
    { skip: withoutTls },
    async () => {
      const counted = new Map<number, number>();
      await using carriers = await startCarriers({ observer: countingObserver(counted) });
      const http2 = carriers.all.at(-1) ?? assert.fail();
      const statuses: number[] = [];
      for (const method of methods) {
        for (const key of ['none', 'wrong', 'valid'] as const) {
          const target = method === 'CONNECT' ? 'example.com:443' : '/cotizaciones?especie=GGAL';
          const one: Request = { method, target, key };
          const { status } = await http2.send(one);
          statuses.push(status);
          if (key !== 'valid') assert.equal(status, 401, JSON.stringify(one));
          else assert.equal(status, served.has(method) ? 200 : 405, JSON.stringify(one));
        }
      }
      assertAccountedFor(statuses, counted, http2.server.logged);
    },
  );

  test('a log of all requests has one line for each response, over every carrier', async () => {
    await using carriers = await startCarriers({ accessLog: 'all' });
    for (const carrier of carriers.all) {
      const statuses: number[] = [];
      for (const method of ['GET', 'HEAD', 'POST', 'OPTIONS', 'PROPFIND', 'CONNECT', 'FOO']) {
        for (const key of ['none', 'wrong', 'valid'] as const) {
          const target = method === 'CONNECT' ? 'x:443' : '/cotizaciones?especie=GGAL';
          statuses.push((await carrier.send({ method, target, key })).status);
        }
      }
      const logged = carrier.server.logged.map(({ status }) => String(status));
      assert.deepEqual(logged.toSorted(), statuses.map(String).toSorted(), carrier.name);
    }
  });

  test('contract 6.2: requests without a valid key count as failures of their address, also when they have other faults', async () => {
    const burst = 3;
    const failures = { requests: burst, seconds: 3_600, burst };
    const target = '/cotizaciones?especie=GGAL';
    const refused: readonly string[] = [
      `GET ${target} HTTP/1.1`,
      `GET ${target} HTTP/1.0`,
      `PROPFIND ${target} HTTP/1.1`,
      'OPTIONS * HTTP/1.1',
      'CONNECT x:443 HTTP/1.1',
      `PLAY ${target} RTSP/1.0`,
      `GET ${target} RTSP/1.0`,
      `GET ${target} HTTP/2.0`,
      `GET ${target}`,
      `POST http://other.example${target} HTTP/1.1`,
      `GET ${target} HTTP/1.1\r\nTransfer-Encoding: foo`,
      `FOO ${target} HTTP/1.1`,
      `GET ${target} HTTP/1.2`,
      'no request',
    ];
    const unlimited: string[] = [];
    for (const line of refused) {
      const plans = new RatePlans({ plans: new Map() });
      await using server = await startTestServer({
        rateLimits: new RateLimits({ plans, failures }),
      });
      const send = async (first: string): Promise<number> => {
        const bytes = Buffer.from(`${first}\r\nHost: x\r\n\r\n`);
        const one = { bytes, requests: 1, mayOpen: false };
        return parseAnswer(await exchange({ port: server.port }, one, 0)).status;
      };
      for (let sent = 0; sent < burst; sent += 1) await send(line);
      if ((await send(`GET ${target} HTTP/1.1`)) !== 429) unlimited.push(line);
      assert.equal((await server.get(target)).status, 200, 'a valid key is not limited');
    }
    assert.deepEqual(unlimited, []);
  });
});
