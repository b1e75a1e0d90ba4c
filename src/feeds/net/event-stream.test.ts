import assert from 'node:assert/strict';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { test } from 'node:test';
import { SourceServer } from '../../../test/support/http/source-server.ts';
import { makeCertificate } from '../../../test/support/program/make-certificate.ts';
import { systemClock } from '../../lib/time/clock.ts';
import { openEventStream, type EventStreamRequest, type StreamItem } from './event-stream.ts';

const patient = { headMs: 60_000, idleMs: 60_000, eventCharsMax: 1_000 };
const asStream = { 'content-type': 'text/event-stream; charset=utf-8' };

/** What a stream of a server sends until it ends. */
async function read(
  listener: RequestListener,
  options: Partial<EventStreamRequest> & { readonly signal?: AbortSignal } = {},
): Promise<readonly StreamItem[]> {
  const server = createServer(listener);
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  const url = new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}/s?key=secret`);
  const { signal = new AbortController().signal, ...others } = options;
  try {
    const request = { url, headers: {}, limits: patient, ...others };
    const stream = await openEventStream(request, { clock: systemClock }, signal);
    const items: StreamItem[] = [];
    for await (const some of stream.items) items.push(...some);
    return items;
  } finally {
    server.closeAllConnections();
    server.close();
  }
}

const refuse: RequestListener = (_, response) => {
  response.writeHead(429, { 'retry-after': '7' }).end('{"error":"x"}');
};

const refuseEndlessly: RequestListener = (_, response) => {
  response.writeHead(503).write('x'.repeat(9_000));
};

const refuseAndBreak: RequestListener = (_, response) => {
  response.writeHead(503).write('x'.repeat(5), () => response.destroy());
};

const page: RequestListener = (_, response) => {
  response.writeHead(200, { 'content-type': 'text/html' }).end('<p>');
};

const long: RequestListener = (_, response) => {
  response.writeHead(200, asStream).end(`data: ${'x'.repeat(2_000)}`);
};

const cut: RequestListener = (_, response) => {
  response.writeHead(200, asStream).write(':\n\n', () => response.destroy());
};

const explain: EventStreamRequest['explain'] = ({ fault, body }) => {
  fault.message = `${fault.code}: ${body}`;
  return fault;
};

test('events and comments are read in order, whatever the pieces in which they come', async () => {
  const items = await read((_, response) => {
    response.writeHead(200, asStream);
    response.write('retry: 2000\n\nevent: coti');
    setImmediate(() => {
      response.write('zacion\nid: 7\ndata: {"a":"ñ"}\n\n:\n\nunknown: x\n');
      response.end('event: cierre\nid:\ndata: {}\n\nevent: cut\ndata: {');
    });
  });
  assert.deepEqual(items, [
    { event: 'cotizacion', id: '7', data: '{"a":"ñ"}' },
    'comment',
    { event: 'cierre', id: '', data: '{}' },
  ]);
});

test('the headers of the request are sent', async () => {
  let seen: unknown;
  const headers = { authorization: 'Bearer k', 'last-event-id': '41' };
  await read(
    ({ headers: { accept, authorization, 'last-event-id': after } }, response) => {
      seen = { accept, authorization, after };
      response.writeHead(200, asStream).end();
    },
    { headers },
  );
  assert.deepEqual(seen, { accept: 'text/event-stream', authorization: 'Bearer k', after: '41' });
});

test('another status is its fault, which the caller explains from the body; the query is not in it', async () => {
  await assert.rejects(read(refuse), ({ code, status, retryAfterMs, message }) => {
    assert.deepEqual([code, status, retryAfterMs], ['limited', 429, 7_000]);
    assert.match(message, /\/s answered 429$/);
    return true;
  });
  await assert.rejects(read(refuse, { explain }), { message: 'limited: {"error":"x"}' });
});

test('of the body of a refusal only the beginning is read, also if it never ends or breaks off', async () => {
  const lengths: number[] = [];
  const measure: EventStreamRequest['explain'] = ({ fault, body }) => {
    lengths.push(body.length);
    return fault;
  };
  await assert.rejects(read(refuseEndlessly, { explain: measure }), {
    code: 'unavailable',
    status: 503,
  });
  await assert.rejects(read(refuseAndBreak, { explain: measure }), {
    code: 'unavailable',
    status: 503,
  });
  assert.deepEqual([lengths[0], lengths.length], [4_096, 2]);
});

test('a response that is no stream is unintelligible', async () => {
  await assert.rejects(read(page), { code: 'unintelligible', message: /sent no stream of events/ });
});

test('an event beyond the limit is unintelligible', async () => {
  await assert.rejects(read(long), { code: 'unintelligible', message: /too long/ });
});

test('a source that is idle for too long, before its head or after it, is unavailable', async () => {
  await assert.rejects(
    read(() => undefined, { limits: { ...patient, headMs: 20 } }),
    { code: 'unavailable', isLate: true, message: /has not answered for 20 ms/ },
  );
  await assert.rejects(
    read((_, response) => void response.writeHead(200, asStream).write(':\n\n'), {
      limits: { ...patient, idleMs: 20 },
    }),
    { code: 'unavailable', isLate: true, message: /has not sent anything for 20 ms/ },
  );
});

test('a connection that breaks is unavailable, and one that is aborted rejects with the reason', async () => {
  await assert.rejects(read(cut), { code: 'unavailable' });
  const stop = new AbortController();
  const hang: RequestListener = () => stop.abort(new Error('stopped'));
  await assert.rejects(read(hang, { signal: stop.signal }), /stopped/);
});

test('a stream of an unknown authority is read with its certificate, and is untrusted without', async (t) => {
  const certificate = makeCertificate();
  if (certificate === undefined) {
    t.skip('openssl is not installed');
    return;
  }
  await using server = await SourceServer.start(certificate);
  server.respond = (_, response) => void response.writeHead(200, asStream).end('data: 1\n\n');
  const request = { url: new URL(`${server.url}/s`), headers: {}, limits: patient };
  const { signal } = new AbortController();
  const open = (network: { readonly ca?: string }) =>
    openEventStream(request, { clock: systemClock, network }, signal);
  await assert.rejects(open({}), { code: 'untrusted' });
  const items: StreamItem[] = [];
  for await (const some of (await open({ ca: certificate.cert })).items) items.push(...some);
  assert.deepEqual(items, [{ event: 'message', id: undefined, data: '1' }]);
});
