import assert from 'node:assert/strict';
import { test, type TestContext } from 'node:test';
import type { WebSocket } from 'ws';
import { pauseInRealTime } from '../../lib/time/pause.ts';
import { heapMiB } from '../../../test/support/heap-mib.ts';
import { SourceServer } from '../../../test/support/http/source-server.ts';
import { deferred, once, until, within } from '../../../test/support/wait.ts';
import type { Ticker } from '../../domain/instruments/ticker.ts';
import { FeedFault, type FeedBatch } from '../contract/feed.ts';
import { usualSocketLimits } from '../contract/network.ts';
import {
  socketBatches,
  type SocketDeps,
  type SocketMessage,
  type SocketOptions,
} from './socket.ts';

const timeout = 600_000;

/** Messages are `TICKER price`, `bye`, `wrong key` or `pong`. */
function map(text: string): SocketMessage {
  if (text === 'bye') return { updates: [], rejected: [], closesSoon: true };
  if (text === 'wrong key') throw new FeedFault('refused', 'the source refuses the key');
  const [ticker = '', last] = text.split(' ');
  if (last === undefined)
    return { updates: [], rejected: [{ reason: 'unintelligible', sample: text }] };
  return {
    updates: [{ ticker: ticker as Ticker, at: Number(last), last: Number(last) }],
    rejected: [],
  };
}

/** A connection to a server, whose clock is in the hands of the test. */
function connect(
  t: TestContext,
  server: SourceServer,
  options: Partial<SocketOptions> = {},
  deps: Partial<SocketDeps> = {},
): AsyncGenerator<FeedBatch, void, undefined> & { readonly stop: () => void } {
  const stopping = new AbortController();
  t.after(() => stopping.abort());
  const batches = socketBatches(
    {
      connect: () => ({ url: new URL(server.socketUrl) }),
      map,
      limits: usualSocketLimits,
      ...options,
    },
    {
      clock: { now: () => 0, monotonic: () => 0 },
      random: () => 0,
      pause: pauseInRealTime,
      ...deps,
    },
    stopping.signal,
  );
  return Object.assign(batches, { stop: () => stopping.abort() });
}

/** Accepts every connection, and tells the test of each. */
function accepting(
  server: SourceServer,
  act: (webSocket: WebSocket, index: number) => void,
): WebSocket[] {
  const open: WebSocket[] = [];
  server.upgrade = (_, __, accept) =>
    accept((webSocket) => {
      open.push(webSocket);
      act(webSocket, open.length - 1);
    });
  return open;
}

async function nextOf(batches: AsyncGenerator<FeedBatch, void, undefined>): Promise<FeedBatch> {
  const { value } = await within('the next batch', batches.next());
  return value ?? assert.fail('the connection ended');
}

async function texts(batch: Promise<FeedBatch>): Promise<readonly string[]> {
  return (await batch).updates.map(({ ticker, last }) => `${ticker} ${last}`);
}

test(
  'while a batch is being stored, the next ones are conflated, and the newest price is known',
  { timeout },
  async (t) => {
    await using server = await SourceServer.start();
    const open = accepting(server, (webSocket) => webSocket.send('BTC 1'));
    const batches = connect(t, server);
    assert.equal((await nextOf(batches)).updates.length, 1);
    for (let price = 2; price <= 20_000; price += 1) open[0]?.send(`BTC ${price}`);
    open[0]?.send('ETH 7');
    const lasts: (number | undefined)[] = [];
    let count = 0;
    while (!lasts.includes(7)) {
      const { updates } = await nextOf(batches);
      count += updates.length;
      lasts.push(...updates.map(({ last }) => last));
      // The consumer is slow: all of the rest arrives meanwhile.
      await pauseInRealTime(200, new AbortController().signal);
    }
    assert.ok(lasts.includes(20_000));
    assert.ok(count < 100, `${count} updates`);
  },
);

test(
  'memory does not grow with the messages and the batches of a source',
  { timeout },
  async (t) => {
    await using server = await SourceServer.start();
    const open = accepting(server, (webSocket) => webSocket.send('BTC 0'));
    const limits = { ...usualSocketLimits, batchEveryMs: 0 };
    const batches = connect(t, server, { limits });
    await nextOf(batches);
    let price = 0;
    const read = async (rounds: number): Promise<void> => {
      for (let round = 0; round < rounds; round += 1) {
        for (let message = 0; message < 10; message += 1) open[0]?.send(`BTC ${(price += 1)}`);
        open[0]?.send('nonsense');
        let last: number | undefined;
        while (last !== price) last = (await nextOf(batches)).updates.at(-1)?.last ?? last;
      }
    };
    await read(500);
    const before = heapMiB();
    await read(4_000);
    // An update, a rejection or a wait for a batch that stayed would be more than 1 MiB.
    const grownMiB = heapMiB() - before;
    assert.ok(grownMiB < 1, `${grownMiB} MiB`);
  },
);

test(
  'a message after a pause is a batch at once, and the messages that follow it are one batch later',
  { timeout },
  async (t) => {
    await using server = await SourceServer.start();
    const open = accepting(server, () => undefined);
    let now = 1_000;
    const waits: number[] = [];
    const due = deferred<void>();
    const ended = deferred<void>();
    const batches = connect(
      t,
      server,
      {},
      {
        clock: { now: () => 0, monotonic: () => now },
        pause: (ms) => {
          // The other pauses are as long as the connection.
          if (ms > usualSocketLimits.batchEveryMs) return ended.promise;
          waits.push(ms);
          return due.promise;
        },
      },
    );
    const first = nextOf(batches);
    await until('the connection is open', () => open.length === 1);
    const [webSocket = assert.fail()] = open;
    webSocket.send('BTC 1');
    assert.deepEqual(await texts(first), ['BTC 1']);

    now += 4;
    const second = nextOf(batches);
    webSocket.send('BTC 2');
    webSocket.send('ETH 3');
    webSocket.ping();
    await once(webSocket, 'pong');
    assert.deepEqual(waits, [6]);
    now += 6;
    due.resolve();
    assert.deepEqual(await texts(second), ['BTC 2', 'ETH 3']);

    now += 10;
    webSocket.send('BTC 4');
    assert.deepEqual(await texts(nextOf(batches)), ['BTC 4']);
    assert.deepEqual(waits, [6]);
  },
);

test(
  'an announced end replaces the connection once, however often it is announced',
  { timeout },
  async (t) => {
    await using server = await SourceServer.start();
    const order: string[] = [];
    const open = accepting(server, (webSocket, index) => {
      order.push(`open ${index}`);
      webSocket.on('close', () => order.push(`close ${index}`));
      webSocket.send('bye');
    });
    const batches = connect(t, server);
    const reading = (async () => {
      for (;;) if ((await nextOf(batches)).updates.length > 0) return;
    })();
    await until('the first connection is closed', () => order.includes('close 0'));
    for (let message = 0; message < 10; message += 1) open[1]?.send('bye');
    open[1]?.send('BTC 1');
    await reading;
    for (let trips = 0; trips < 3; trips += 1) {
      open[1]?.ping();
      await once(open[1] ?? assert.fail(), 'pong');
    }
    assert.deepEqual(order.slice(0, 3), ['open 0', 'open 1', 'close 0']);
    assert.equal(open.length, 2);
  },
);

test('an idle connection is kept while its source answers pings', { timeout }, async (t) => {
  await using server = await SourceServer.start();
  let pings = 0;
  accepting(server, (webSocket) => {
    webSocket.on('ping', () => {
      pings += 1;
      if (pings === 2) webSocket.send('BTC 1');
    });
  });
  const batches = connect(t, server, { limits: { ...usualSocketLimits, idleMs: 200 } });
  assert.deepEqual(await texts(nextOf(batches)), ['BTC 1']);
});

test(
  'a refused key ends the connection with its fault, after what came before it',
  { timeout },
  async (t) => {
    await using server = await SourceServer.start();
    accepting(server, (webSocket) => {
      webSocket.send('BTC 1');
      webSocket.send('wrong key');
    });
    const batches = connect(t, server);
    assert.equal((await nextOf(batches)).updates.length, 1);
    await assert.rejects(batches.next(), { code: 'refused' });
  },
);

test('the subscriptions are sent in order on every connection', { timeout }, async (t) => {
  await using server = await SourceServer.start();
  accepting(server, (webSocket, index) => {
    webSocket.on('message', (data: Buffer) => {
      if (data.toString() === 'subscribe BTC') webSocket.send(index === 0 ? 'bye' : 'BTC 1');
    });
  });
  const batches = connect(t, server, {
    connect: () => ({
      url: new URL(server.socketUrl),
      subscribe: ['login', 'subscribe BTC'],
    }),
  });
  let batch = await nextOf(batches);
  while (batch.updates.length === 0) batch = await nextOf(batches);
  assert.deepEqual(server.messages, ['login', 'subscribe BTC', 'login', 'subscribe BTC']);
});

test('stopping ends an idle connection at once and closes it', { timeout }, async (t) => {
  await using server = await SourceServer.start();
  const codes: number[] = [];
  accepting(server, (webSocket) => {
    webSocket.on('close', (code) => codes.push(code));
    webSocket.send('BTC 1');
  });
  const batches = connect(t, server);
  // The client has the connection only after its handshake, which is later than the server has it.
  await nextOf(batches);
  const ended = batches.next();
  batches.stop();
  assert.deepEqual(await ended, { done: true, value: undefined });
  await until('the connection is closed', () => codes.length === 1);
  assert.deepEqual(codes, [1000]);
});

test(
  'stopping while the source does not answer the handshake ends without a fault',
  { timeout },
  async (t) => {
    await using server = await SourceServer.start();
    server.upgrade = () => undefined;
    const batches = connect(t, server);
    const ended = batches.next();
    await until('the request has come', () => server.requests.length === 1);
    batches.stop();
    assert.deepEqual(await ended, { done: true, value: undefined });
  },
);
