import { setTimeout as sleep } from 'node:timers/promises';

import { HttpConnection, requestText } from '../../support/http-connection.ts';
import { median } from '../../support/statistics.ts';
import type { GrownNode } from './grown-node.ts';

/** Number of updates in a push, and pause between two requests meanwhile, in milliseconds. */
const [batch, requestPauseMs] = [20, 5];

/** Number of streams that connect again. */
const reconnecting = 1_000;

/** Measures updates that arrive at a steady rate: what they cost, and their delay. */
export async function measureUpdates(
  node: GrownNode,
  { seconds, perSecond }: { readonly seconds: number; readonly perSecond: number },
): Promise<void> {
  const { figures, screens, source } = node;
  const eventsBefore = node.events;
  for (const screen of screens) screen.delays = [];
  let pushed: readonly number[] = [];
  let requested: readonly number[] = [];
  const microseconds = await node.cost(async () => {
    using stopping = new Stopping();
    const requests = requestUntil(node, stopping.signal);
    pushed = await source.pushFor(seconds, { perSecond, batch });
    stopping[Symbol.dispose]();
    requested = await requests;
    await node.untilCurrent();
  });
  const delays = screens.flatMap(({ delays: own = [] }) => own).toSorted((a, b) => a - b);
  for (const screen of screens) screen.delays = undefined;
  figures.add('event', microseconds / (node.events - eventsBefore));
  figures.add('pushed', median(pushed));
  figures.add('delay', median(delays));
  figures.add('delayP99', p99Of(delays));
  figures.add('request', median(requested));
  figures.add('requestP99', p99Of(requested));
}

/** Measures one push that has all instruments. */
export async function measureWholePush(node: GrownNode): Promise<void> {
  const { figures, source } = node;
  const eventsBefore = node.events;
  const begun = performance.now();
  const microseconds = await node.cost(async () => {
    figures.add('all', await source.push(source.tickers.length));
    await node.untilCurrent();
  });
  figures.add('allShown', performance.now() - begun);
  figures.add('allEvent', microseconds / (node.events - eventsBefore));
}

/** Measures streams that connect again with the version that they have seen. */
export async function measureReconnection(node: GrownNode): Promise<void> {
  const { figures, screens } = node;
  const again = screens.splice(0, reconnecting);
  for (const screen of again) screen[Symbol.dispose]();
  await sleep(1_000);
  const microseconds = await node.cost(async () => {
    // All quotes are newer than the first version, so each is sent again.
    for (const { tickers } of again) screens.push(await node.openScreen(tickers, 1));
    await node.untilCurrent();
  });
  figures.add('again', microseconds / again.length);
}

/** Requests one quote after another with pauses. Gives the milliseconds that each took. */
async function requestUntil(node: GrownNode, signal: AbortSignal): Promise<readonly number[]> {
  const { url, keys } = node.service;
  const headers = { authorization: `Bearer ${keys.read}` };
  const request = requestText('GET', new URL(`${url}/cotizaciones?especie=GGAL`), headers);
  using connection = await HttpConnection.open(Number(new URL(url).port));
  const times: number[] = [];
  while (!signal.aborted) {
    const { promise, resolve } = Promise.withResolvers<number>();
    const sent = performance.now();
    connection.exchange(request, resolve);
    const status = await promise;
    if (status !== 200) throw new Error(`a request got ${status}`);
    times.push(performance.now() - sent);
    await sleep(requestPauseMs);
  }
  return times;
}

function p99Of(times: readonly number[]): number {
  return times.toSorted((a, b) => a - b)[Math.floor(times.length * 0.99)] ?? Number.NaN;
}

/** A signal that is aborted when it is disposed, also when the work fails. */
class Stopping implements Disposable {
  readonly #controller = new AbortController();

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  [Symbol.dispose](): void {
    this.#controller.abort();
  }
}
