import assert from 'node:assert/strict';
import { test } from 'node:test';

import { RawConnection } from '../support/http/raw-connection.ts';
import { startTestServer, testNow, type TestServer } from '../support/http/start-test-server.ts';

const quotes = '/cotizaciones?especie=GGAL';
const list = '/especies.txt?panel=LID';

function get(target: string, key: string): string {
  return `GET ${target} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${key}\r\n\r\n`;
}

/** Starts a server that processes one request per turn of the event loop. */
function startSlow(): Promise<TestServer> {
  return startTestServer({ limits: { turnBudgetMs: 0 } });
}

test('a request that waited too long in the queue gets 503 with Retry-After, by both carriers, and its connection stays open', async () => {
  let shed = 0;
  const observer = {
    answered: () => undefined,
    keyRefused: () => undefined,
    shed: () => void (shed += 1),
  };
  await using server = await startTestServer({
    observer,
    corsOrigins: ['https://app.example'],
    limits: { turnBudgetMs: -1, queueWaitMsMax: -1 },
  });
  using bySocket = await RawConnection.open(server.port);
  using byNode = await RawConnection.openAtNode(server.port);
  assert.equal(shed, 1);
  const heads: object[] = [];
  for (const [connection, target] of [
    [bySocket, quotes],
    [byNode, list],
    [bySocket, quotes],
    [byNode, list],
  ] as const) {
    const { status, headers, body } = await connection.ask(get(target, server.key));
    assert.equal(status, 503);
    assert.equal(headers.get('retry-after'), '1');
    assert.match(body, /sobrecargado/);
    heads.push({ ...Object.fromEntries(headers), date: '' });
  }
  assert.deepEqual(heads[0], heads[1]);
  assert.equal(shed, 5);
});

test('a new client is served before the queued requests of a client that sent many at once', async () => {
  await using server = await startSlow();
  const other = await server.issue({});
  const heavy = await Promise.all(
    Array.from({ length: 60 }, () => RawConnection.open(server.port)),
  );
  using light = await RawConnection.open(server.port);
  // Make sure that all connections are accepted.
  for (const connection of [...heavy, light]) await connection.ask(get(quotes, server.key));
  const order: string[] = [];
  const asked = heavy.map(async (connection) => {
    const { status } = await connection.ask(get(quotes, server.key));
    assert.equal(status, 200);
    order.push('heavy');
  });
  // This request is the last one that the server reads.
  const askLast = async (): Promise<void> => {
    const { status } = await light.ask(get(quotes, other));
    assert.equal(status, 200);
    order.push('light');
  };
  asked.push(askLast());
  await Promise.all(asked);
  for (const connection of heavy) connection[Symbol.dispose]();
  assert.ok(order.indexOf('light') < 30, `the ${order.indexOf('light')}th of ${order.length}`);
});

test('requests behind a queued one on the same connection get their responses after it, in order', async () => {
  await using server = await startSlow();
  const connections = await Promise.all(
    Array.from({ length: 8 }, () => RawConnection.open(server.port)),
  );
  await Promise.all(
    connections.map(async (connection) => {
      const first = connection.ask(get(quotes, server.key));
      await new Promise(setImmediate);
      connection.socket.write(get(list, server.key));
      assert.match((await first).body, /"especie":"GGAL"/);
      assert.match((await connection.next()).headers.get('content-type') ?? '', /^text\/plain/);
      connection[Symbol.dispose]();
    }),
  );
});

test('a client that disconnects while its request is queued does not affect others', async () => {
  await using server = await startSlow();
  for (let round = 0; round < 5; round += 1) {
    const connections = await Promise.all(
      Array.from({ length: 10 }, () => RawConnection.open(server.port)),
    );
    for (const [at, connection] of connections.entries()) {
      connection.socket.write(get(at % 2 === 0 ? quotes : list, server.key));
    }
    await new Promise(setImmediate);
    for (const connection of connections) connection[Symbol.dispose]();
  }
  using connection = await RawConnection.open(server.port);
  assert.equal((await connection.ask(get(quotes, server.key))).status, 200);
});

test('a client that half-closes after its last request gets the response, by both carriers', async () => {
  await using server = await startTestServer({ limits: { turnBudgetMs: -1 } });
  for (const open of [
    (port: number) => RawConnection.open(port),
    (port: number) => RawConnection.openAtNode(port),
  ]) {
    using connection = await open(server.port);
    connection.socket.end(get(quotes, server.key));
    assert.equal((await connection.next()).status, 200);
    await connection.ended();
  }
});

test('queued requests with a key in the URL wait behind those of their key, not behind those of their address', async () => {
  await using server = await startTestServer({ urlKeys: true, limits: { turnBudgetMs: 0 } });
  const expiresAt = testNow + 1;
  const [heavyKey, lightKey] = [
    await server.issue({ scope: 'url', expiresAt }),
    await server.issue({ scope: 'url', expiresAt }),
  ];
  const { handler } = server.server;
  const clientOf = (key: string, authorization?: string): string =>
    handler.clientOf({
      peer: { address: '192.0.2.1', isEncrypted: false },
      method: 'GET',
      target: `/clave/${key}${quotes}`,
      version: '1.1',
      headers: authorization === undefined ? {} : { authorization },
      count: () => 1,
      hasBody: false,
      keepsAlive: true,
      headBytes: undefined,
      body: undefined,
      head: undefined,
    });
  const [heavy, light] = [clientOf(heavyKey), clientOf(lightKey)];
  assert.notEqual(heavy, light);
  for (const id of [heavy, light]) assert.doesNotMatch(id, /^address /);
  for (const other of [
    clientOf('x'),
    clientOf(server.key),
    clientOf(lightKey, `Bearer ${server.key}`),
  ]) {
    assert.equal(other, 'address 192.0.2.1');
  }
});
