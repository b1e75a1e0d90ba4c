import assert from 'node:assert/strict';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { gzipSync } from 'node:zlib';

import { readPlayground } from '../../src/http/content/playground-file.ts';
import { temporaryDirectory } from '../support/program.ts';
import { RawConnection } from '../support/raw-connection.ts';
import type { RawAnswer } from '../support/raw-http.ts';
import { startTestServer, testNow } from '../support/start-test-server.ts';
import { clockAt } from '../support/clock-at.ts';

/**
 * Content negotiation and conditional requests of RFC 9110, for every path and both carriers of HTTP/1.1.
 */

const origin = 'https://desk.example';
const directory = await temporaryDirectory();
const script = 'console.log("pizarra");'.repeat(50);
await mkdir(join(directory.path, 'assets'));
await writeFile(join(directory.path, 'index.html'), '<!doctype html>');
await writeFile(join(directory.path, 'assets/a.js'), script);
await writeFile(join(directory.path, 'assets/a.js.gz'), gzipSync(script));
const playground = await readPlayground(directory.path);
let now = testNow;
const clock = clockAt(() => now);
const server = await startTestServer({ corsOrigins: [origin], playground, clock });
after(async () => {
  await server[Symbol.asyncDispose]();
  await directory[Symbol.asyncDispose]();
});

const history = '/historicos?especie=GGAL&desde=2020-01-01&hasta=2026-12-31';
const targets: readonly string[] = [
  '/cotizaciones?especie=GGAL,NADA',
  '/cotizaciones?panel=LIDGEN',
  '/cotizaciones?panel=NADA',
  '/cotizaciones',
  history,
  '/historicos?especie=GGAL',
  '/especies.txt',
  '/especies.txt?panel=NADA',
  '/especies.json',
  '/openapi.json',
  '/healthz',
  '/',
  '/assets/a.js',
  '/nada',
];

/** Opens a connection that the socket carrier reads, or one that Node reads. */
function openWay(isSocket: boolean): Promise<RawConnection> {
  return isSocket ? RawConnection.open(server.port) : RawConnection.openAtNode(server.port);
}

interface Question {
  readonly target: string;
  readonly lines?: readonly string[];
  readonly key?: string;
}

function askOver(
  connection: RawConnection,
  { target, lines = [], key = server.key }: Question,
): Promise<RawAnswer> {
  const head = [`GET ${target} HTTP/1.1`, 'Host: x', `Authorization: Bearer ${key}`, ...lines];
  return connection.ask(`${head.join('\r\n')}\r\n\r\n`);
}

/** Sends one request on a new connection. */
async function ask(isSocket: boolean, question: Question): Promise<RawAnswer> {
  using connection = await openWay(isSocket);
  return await askOver(connection, question);
}

/** Values of the request fields that a response may depend on. Undefined: the field is absent. */
const choices: Readonly<Record<string, readonly (string | undefined)[]>> = {
  Accept: [undefined, 'text/csv', 'application/json'],
  'Accept-Encoding': [undefined, 'gzip', 'br', 'gzip, identity;q=0', 'identity;q=0, *;q=0'],
  Origin: [undefined, origin, 'https://other.example', 'null'],
};

/** The parts of a response that must be equal for a cache to treat two responses as the same. */
function essence({ status, headers, body }: RawAnswer): string {
  const names = ['content-type', 'content-encoding', 'access-control-allow-origin', 'etag'];
  return JSON.stringify([status, ...names.map((name) => headers.get(name)), body]);
}

function varyOf({ headers }: RawAnswer): readonly string[] {
  return (headers.get('vary') ?? '').toLowerCase().split(/ *, */);
}

function since(text: string): string {
  return `If-Modified-Since: ${text}`;
}

for (const isSocket of [true, false]) {
  const way = isSocket ? 'from the socket' : 'by Node';

  test(`RFC 9110 12.5.5, ${way}: where responses differ by a request field, each names it in one Vary`, async () => {
    let differences = 0;
    for (const [key, target, held] of [server.key, 'wrong'].flatMap((one) =>
      targets.flatMap((path) => [
        [one, path, []] as const,
        [one, path, ['If-None-Match: *']] as const,
      ]),
    )) {
      using connection = await openWay(isSocket);
      for (const [field, values] of Object.entries(choices)) {
        const answers: RawAnswer[] = [];
        for (const value of values) {
          const own = value === undefined ? [] : [`${field}: ${value}`];
          answers.push(await askOver(connection, { target, key, lines: [...held, ...own] }));
        }
        const isSame = new Set(answers.map(essence)).size === 1;
        for (const answer of answers) {
          const vary = varyOf(answer);
          const what = `${target} ${held.join()} ${field}: ${answer.status}`;
          assert.ok(isSame || vary.includes(field.toLowerCase()), `${what} says ${vary.join()}`);
          assert.equal(new Set(vary).size, vary.length, what);
          assert.ok(answer.rawNames.filter((name) => /^vary$/i.test(name)).length <= 1, what);
        }
        if (!isSame) differences += 1;
      }
    }
    assert.ok(differences > targets.length);
  });

  test(`RFC 9110 15.4.5, ${way}: a 304 has the fields of the 200 that a cache goes by`, async () => {
    for (const target of targets) {
      for (const lines of [[], ['Accept-Encoding: gzip'], [`Origin: ${origin}`]]) {
        const whole = await ask(isSocket, { target, lines });
        const etag = whole.headers.get('etag');
        if (etag === undefined) continue;
        const held = await ask(isSocket, {
          target,
          lines: [...lines, `If-None-Match: ${etag}`],
        });
        assert.equal(held.status, 304, target);
        for (const name of ['etag', 'vary', 'cache-control', 'last-modified', 'missing-especies']) {
          assert.equal(held.headers.get(name), whole.headers.get(name), `${target} ${name}`);
        }
        assert.equal(held.headers.get('content-type'), undefined);
        assert.equal(held.headers.get('content-length'), undefined);
      }
    }
  });

  test(`RFC 9110 13.1.2, ${way}: If-None-Match compares weakly, takes a list, and * is any`, async () => {
    for (const target of targets) {
      const whole = await ask(isSocket, { target });
      const etag = whole.headers.get('etag');
      if (etag === undefined) continue;
      const statusOf = async (...values: string[]): Promise<number> => {
        const lines = values.map((value) => `If-None-Match: ${value}`);
        return (await ask(isSocket, { target, lines })).status;
      };
      for (const held of [etag, `W/${etag}`, `"x", ${etag}`, `"x",W/${etag} , "y"`, '*', ' * ']) {
        assert.equal(await statusOf(held), 304, `${target} ${held}`);
      }
      assert.equal(await statusOf('"x"', etag), 304, `${target}: in two lines`);
      for (const other of ['"x"', '', etag.replaceAll('"', ''), `${etag.slice(0, -1)}x"`, '"*"']) {
        assert.equal(await statusOf(other), 200, `${target} ${other}`);
      }
    }
  });

  test(`RFC 9110 13.1.3, ${way}: If-Modified-Since counts if it is one valid date that is not to come`, async () => {
    await ask(isSocket, { target: history });
    now += 2_000;
    const whole = await ask(isSocket, { target: history });
    const lastModified = whole.headers.get('last-modified') ?? assert.fail('no Last-Modified');
    const at = Date.parse(lastModified);
    const [, day = '', month = '', year = '', time = ''] =
      /^\w{3}, (\d{2}) (\w{3}) (\d{4}) (\S+) GMT$/.exec(lastModified) ?? [];
    const weekday = new Date(at).toLocaleDateString('en', { weekday: 'long', timeZone: 'UTC' });
    const statusOf = async (...lines: string[]): Promise<number> =>
      (await ask(isSocket, { target: history, lines })).status;
    const forms = [
      lastModified,
      `${weekday}, ${day}-${month}-${year.slice(2)} ${time} GMT`,
      `${weekday.slice(0, 3)} ${month} ${day} ${time} ${year}`,
      new Date(now).toUTCString(),
    ];
    for (const form of forms) assert.equal(await statusOf(since(form)), 304, form);
    const ignored = [
      new Date(at - 1_000).toUTCString(),
      new Date(now + 1_000).toUTCString(),
      'Thu, 01 Jan 2099 00:00:00 GMT',
      'Thursday, 01-Jan-76 00:00:00 GMT',
      'Thu Jan  1 00:00:00 2099',
      new Date(now).toISOString(),
      String(now),
      `${lastModified}, ${lastModified}`,
      lastModified.replace('GMT', 'UTC'),
      '',
    ];
    for (const text of ignored) assert.equal(await statusOf(since(text)), 200, text);
    assert.equal(await statusOf(since(lastModified), since(lastModified)), 200, 'twice');
    assert.equal(await statusOf(since(lastModified), 'If-None-Match: "x"'), 200);
    assert.equal(await statusOf(since('never'), 'If-None-Match: *'), 304);
    assert.equal(await statusOf(since('Thu, 01 Jan 2099 00:00:00 GMT'), 'If-None-Match: *'), 304);
  });
}
