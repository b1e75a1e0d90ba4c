import assert from 'node:assert/strict';
import { test } from 'node:test';

import { silentLog, type Log } from '../../lib/reports/log.ts';
import { errorResponse } from '../../wire/texts/error-texts.ts';
import { AccessLogWriter } from './access-log.ts';
import { jsonDraft, type ResponseDraft, Fields, type Response } from './response.ts';
import { RequestHandler, type RequestHandlerParts, type HttpObserver } from './request-handler.ts';
import type { Request, Route } from './request.ts';
import { RouteTable } from './route-table.ts';
import { StopPhase } from './stop-phase.ts';

/** The handler alone: no server, no socket, no bytes. */

const now = Date.parse('2026-11-20T20:00:00Z');
const clock = { now: () => now, monotonic: () => 0 };
const ok: ResponseDraft = { ...jsonDraft('[]'), vary: 'Accept' };

const route = (path: string, respond: Route['respond'], more: Partial<Route> = {}): Route => ({
  method: 'GET',
  path,
  scope: 'read',
  respond,
  ...more,
});

function asLines(list: readonly string[]): readonly string[] {
  return list.flatMap((name, at) => (at % 2 === 0 ? [`${name}: ${list[at + 1]}`] : []));
}

function cachingOf({ fields }: Response): string | undefined {
  const list = fields.flatMap((one) => one.list);
  return list.find((_, at) => list[at - 1] === 'cache-control');
}

function start(own: Partial<RequestHandlerParts> & { readonly routes?: readonly Route[] } = {}): {
  readonly handler: RequestHandler;
  readonly ask: (request?: Partial<Request>) => Promise<Response>;
} {
  const { routes = [route('/a', () => ok)], ...parts } = own;
  const handler = new RequestHandler({
    table: new RouteTable(routes, '/v5'),
    steps: [],
    clientInfo: ({ peer }) => ({ remote: peer.address, fields: [] }),
    admitUnread: () => ({ fields: [], refusal: undefined }),
    clientOf: ({ peer }) => peer.address,
    saturated: jsonDraft('{}', 503),
    errors: errorResponse,
    extraFields: { 'x-of-the-operator': 'a' },
    varies: () => undefined,
    phase: new StopPhase(),
    clock,
    log: silentLog,
    accessLog: new AccessLogWriter(silentLog, 'off'),
    observer: undefined,
    keepAliveTimeoutMs: 30_500,
    ...parts,
  });
  return { handler, ask: async (request) => handler.respond(requestOf(request)) };
}

function requestOf(own: Partial<Request> = {}): Request {
  return {
    peer: { address: '192.0.2.1', isEncrypted: false },
    method: 'GET',
    target: '/v5/a?x=1',
    version: '1.1',
    headers: {},
    count: () => 0,
    hasBody: false,
    keepsAlive: true,
    headBytes: undefined,
    body: undefined,
    head: undefined,
    ...own,
  };
}

test('the steps decide in order, the first one that decides ends the way of the request, and the route comes last', async () => {
  const order: string[] = [];
  const step = (name: string, answer?: ResponseDraft) => () => {
    order.push(name);
    return answer;
  };
  const last = route('/a', () => {
    order.push('route');
    return ok;
  });
  const passing = start({ routes: [last], steps: [step('first'), step('second')] });
  assert.equal((await passing.ask()).status, 200);
  assert.deepEqual(order.splice(0), ['first', 'second', 'route']);
  const refusing = start({
    routes: [last],
    steps: [step('first'), step('second', jsonDraft('{}', 403)), step('third')],
  });
  assert.equal((await refusing.ask()).status, 403);
  assert.deepEqual(order, ['first', 'second']);
});

test('every response has the standing fields, its own, one Vary, those of the connection, and Date', async () => {
  const { handler, ask } = start({
    varies: () => 'Origin',
    clientInfo: () => ({ remote: '', fields: [Fields.of({ 'x-around': 'b' })] }),
    steps: [
      (context) => {
        context.limits = Fields.of({ ratelimit: 'c' });
        return undefined;
      },
    ],
  });
  const response = await ask();
  const head = handler.heads.text(response, false);
  assert.equal(
    head,
    [
      'HTTP/1.1 200 OK',
      'cache-control: private, no-cache',
      'x-content-type-options: nosniff',
      "content-security-policy: default-src 'none'; frame-ancestors 'none'",
      'x-of-the-operator: a',
      'x-around: b',
      'ratelimit: c',
      'vary: Accept, Origin',
      'content-type: application/json; charset=utf-8',
      'content-length: 2',
      'connection: keep-alive',
      'keep-alive: timeout=30',
      'date: Fri, 20 Nov 2026 20:00:00 GMT',
      '\r\n',
    ].join('\r\n'),
  );
  const lines = head.split('\r\n').slice(1, -2);
  assert.deepEqual(asLines(handler.heads.list(response, false)), lines);
  assert.deepEqual(asLines(handler.heads.multiplexed(response)), [
    ':status: 200',
    ...lines.filter((line) => !/^(?:connection|keep-alive):/.test(line)),
  ]);
  assert.match(handler.heads.text(response, true), /\r\nconnection: close\r\ndate: /);
});

test('a route may replace standing fields, and the errors of its path keep them', async () => {
  const page = route('/', () => ok, { standing: { 'cache-control': 'no-cache' } });
  const { ask } = start({ routes: [page] });
  assert.equal(cachingOf(await ask({ target: '/v5/' })), 'no-cache');
  assert.equal(cachingOf(await ask({ target: '/v5/', method: 'PUT' })), 'private, no-cache');
});

test('HEAD has the fields of GET and no body', async () => {
  const { ask } = start();
  const [get, head] = [await ask(), await ask({ method: 'HEAD' })];
  assert.deepEqual(head.fields, get.fields);
  assert.deepEqual([get.body.length, head.body.length], [1, 0]);
});

test('what a step or a route throws, at once or later, is a 500 for the client and an error for the log', async () => {
  const logged: object[] = [];
  const log: Log = { ...silentLog, error: (details) => void logged.push(details) };
  const fault = new Error('the disk is gone');
  const failing = () => {
    throw fault;
  };
  for (const parts of [
    { routes: [route('/a', failing)] },
    { routes: [route('/a', () => Promise.reject(fault))] },
    { steps: [failing] },
  ]) {
    const { status, body } = await start({ ...parts, log }).ask({ target: '/v5/a?secret' });
    assert.equal(status, 500);
    assert.doesNotMatch(String(body), /disk/);
  }
  const expected = { err: fault, method: 'GET', path: '/v5/a', keyId: undefined };
  assert.deepEqual(logged, [expected, expected, expected]);
});

test('a client that leaves before its body is complete is no error', async () => {
  const levels: string[] = [];
  const record = (level: string) => () => void levels.push(level);
  const log: Log = { ...silentLog, error: record('error'), info: record('info') };
  const cut = { isCut: () => true, isComplete: () => false, proceed: () => undefined };
  const body = cut as unknown as Request['body'];
  await start({ routes: [route('/a', () => Promise.reject(new Error()))], log }).ask({ body });
  assert.deepEqual(levels, ['info']);
});

test('a route is found by its whole path, in any encoding, and by its method', async () => {
  const { ask } = start({
    steps: [({ head }) => (head.route === undefined ? jsonDraft('{}', 404) : undefined)],
  });
  const statusOf = async (target: string, method = 'GET'): Promise<number> =>
    (await ask({ target, method })).status;
  for (const target of ['/v5/a', '/v5/a?', '/v5/%61', 'http://x/v5/a', 'HTTPS://u@x:1/v5/a?b']) {
    assert.equal(await statusOf(target), 200, target);
  }
  for (const target of ['/a', '/v5/a/', '/v5/A', '/v5/%', '/v5%2fa', '*', 'x:1', 'http://x']) {
    assert.equal(await statusOf(target), 404, target);
  }
  assert.equal(await statusOf('/v5/a', 'POST'), 404);
  assert.equal(await statusOf('/v5/a', 'get'), 404);
});

test('a connection closes after a response if the response, the client or a drain says so', async () => {
  const phase = new StopPhase();
  const { handler, ask } = start({ phase });
  const response = await ask();
  assert.equal(handler.closesAfter({ keepsAlive: true }, response), false);
  assert.equal(handler.closesAfter({ keepsAlive: false }, response), true);
  assert.equal(handler.closesAfter({ keepsAlive: true }, { ...response, closes: true }), true);
  phase.drain();
  assert.equal(handler.closesAfter({ keepsAlive: true }, response), true);
  const stream = { ...ok, stream: () => undefined };
  assert.equal((await start({ routes: [route('/a', () => stream)] }).ask()).closes, true);
});

test('a finished response is counted once under its route, and logged without its query', async () => {
  const counted: unknown[] = [];
  const lines: object[] = [];
  const observer: HttpObserver = {
    answered: (answer) => counted.push(answer),
    keyRefused: () => undefined,
  };
  const log: Log = { ...silentLog, info: (details) => void lines.push(details) };
  const accessLog = new AccessLogWriter(log, 'all');
  const { handler, ask } = start({ observer, accessLog });
  handler.finished(await ask(), 1_500);
  assert.deepEqual(counted, [{ route: '/v5/a', method: 'GET', status: 200, seconds: 1.5 }]);
  const client = { keyId: undefined, remote: '192.0.2.1' };
  assert.deepEqual(lines, [{ ...client, method: 'GET', path: '/v5/a', status: 200, ms: 1_500 }]);
  const stream: Response = { ...(await ask()), stream: () => undefined };
  handler.finished(stream, 1);
  assert.equal(counted.length, 1);
  assert.equal(lines.length, 2);
});

test('bytes that are no request get an error of the listener, are counted, and close the connection', () => {
  const counted: object[] = [];
  const observer: HttpObserver = {
    answered: (answer) => void counted.push(answer),
    keyRefused: () => undefined,
  };
  const refusal = jsonDraft('{}', 429);
  let isLimited = false;
  const { handler } = start({
    observer,
    admitUnread: () => ({
      fields: [Fields.of({ ratelimit: 'a' })],
      refusal: isLimited ? refusal : undefined,
    }),
  });
  const { peer } = requestOf();
  const refused = handler.refuseUnread(peer, { name: 'target-too-long', max: 7 });
  assert.deepEqual([refused.status, refused.closes], [414, true]);
  assert.match(String(refused.body), /7 bytes/);
  assert.match(handler.heads.text(refused, true), /\r\nratelimit: a\r\n.*\r\ndate: /s);
  handler.finished(refused, 0);
  const expected = { route: 'unknown', method: 'other', status: 414, seconds: 0 };
  assert.deepEqual(counted, [expected]);
  isLimited = true;
  assert.equal(handler.refuseUnread(peer, { name: 'request-malformed' }).status, 429);
});

test('a head is read once for the same request, and again by another handler', async () => {
  let reads = 0;
  const clientInfo = () => {
    reads += 1;
    return { remote: '', fields: [] };
  };
  const [one, other] = [start({ clientInfo }), start({ clientInfo })];
  const request = requestOf();
  for (let round = 0; round < 3; round += 1) await one.handler.respond(request);
  assert.equal(reads, 1);
  await other.handler.respond(request);
  assert.equal(reads, 2);
});
