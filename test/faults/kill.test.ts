import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';

import type { EventStream, StreamEvent } from '../support/http/event-stream.ts';
import { isInPostgres } from '../support/program/test-store.ts';
import { until } from '../support/wait.ts';
import { aliasTicker, pushedTickers } from './flat-universe.ts';
import { Installation, pricesOf, type FaultyService, type ReadQuote } from './installation.ts';
import { Lane } from './lane.ts';
import { checkIntegrity } from './check-integrity.ts';

/** Number of kills under load. `npm run test:kill` sets it to 100. */
const rounds = Number(process.env['KILL_ROUNDS'] ?? 3);
const isLongRun = rounds >= 20;

/** Number of sources that push at the same time. */
const lanesCount = 4;

/** One kill in this number comes while the program starts, within `startupMs` milliseconds. */
const startupKillEvery = 6;
const startupMs = 700;

/** Maximum time from a start to the kill, in milliseconds. Some kills come within the first commit. */
const lifeMsMax = isLongRun ? 1_500 : 400;

test(
  'after a kill at any time while sources push, every acknowledged update, close and bar is served, no published quote is taken back, and the ids of events only increase',
  { timeout: 600_000 + rounds * 100_000 },
  async (t) => {
    await using installation = await Installation.make();
    const load = new Load();
    let killsAtStart = 0;
    for (let round = 0; round < rounds; round += 1) {
      if (round > 0 && Math.random() * startupKillEvery < 1) {
        await killAtStart(installation);
        killsAtStart += 1;
      }
      await using service = await installation.start({ args: ['--log-level', 'info'] });
      await load.check(service);
      await load.pushUntilKilled(service, Math.random() * lifeMsMax);
    }
    {
      await using service = await installation.start();
      await load.check(service);
      assert.equal(await service.program.stop(), 0);
    }
    if (!isInPostgres) checkIntegrity(installation.data);
    assert.ok(load.acknowledged > rounds, `only ${load.acknowledged} updates`);
    t.diagnostic(
      `${rounds} kills under load, ${killsAtStart} at the start; ${load.acknowledged} updates ` +
        `acknowledged, ${load.unanswered} pushes cut, ${load.events} events read, ` +
        `${load.settled} closes settled`,
    );
  },
);

/** Kills the program at a random time before it serves, or shortly after. */
async function killAtStart(installation: Installation): Promise<void> {
  const starting = installation.start({
    onSpawn: (child) => {
      const timer = setTimeout(() => child.kill('SIGKILL'), Math.random() * startupMs);
      child.once('exit', () => clearTimeout(timer));
    },
  });
  const service = await starting.catch(() => undefined);
  await service?.kill();
}

/** Sources that push, and a client that reads a stream. */
class Load {
  readonly #lanes = Array.from(
    { length: lanesCount },
    (_, lane) => new Lane(pushedTickers.filter((__, index) => index % lanesCount === lane)),
  );
  /** The last quotes that the client has read. */
  readonly #shown = new Map<string, ReadQuote>();
  #lastEventId = '';
  /** The stream of the present life, once the program has answered. */
  #stream: EventStream | undefined;
  unanswered = 0;
  events = 0;
  settled = 0;

  get acknowledged(): number {
    return this.#lanes.reduce((sum, lane) => sum + lane.acknowledged, 0);
  }

  /** Fails unless every acknowledged update exists, and every quote that the client has read. */
  async check(service: FaultyService): Promise<void> {
    const quotes = await service.quotes();
    for (const [ticker, shown] of this.#shown) {
      this.#seeOne(quotes.get(ticker) ?? assert.fail(`${shown.especie} was taken back`));
    }
    for (const lane of this.#lanes) this.settled += await lane.check(service);
    const [source = ''] = pushedTickers;
    const [alias, original] = [quotes.get(aliasTicker), quotes.get(source)];
    assert.deepEqual(alias && pricesOf(alias), original && pricesOf(original), aliasTicker);
    assert.deepEqual(await service.bars(aliasTicker), await service.bars(source), aliasTicker);
  }

  async pushUntilKilled(service: FaultyService, lifeMs: number): Promise<void> {
    const life = { isOver: false };
    const work = [
      ...this.#lanes.map((lane) => this.#push(service, lane, life)),
      this.#follow(service),
    ];
    await sleep(lifeMs);
    // On a busy machine, the lives are too short for any push or event. The first life waits for both.
    await until('updates are acknowledged', () => this.acknowledged > rounds);
    await until('a quote is streamed', () => this.events > 0 || this.#stream?.events.some(isQuote));
    await service.kill();
    life.isOver = true;
    await Promise.all(work);
  }

  async #push(service: FaultyService, lane: Lane, life: { readonly isOver: boolean }) {
    while (!life.isOver) {
      const batch = lane.nextBatch();
      const answer = await service.push(batch).catch(ifCut);
      if (answer === undefined) {
        this.unanswered += 1;
        return;
      }
      assert.equal(answer.status, 200, answer.body);
      const { accepted } = JSON.parse(answer.body) as { readonly accepted: number };
      assert.equal(accepted, batch.length, answer.body);
      lane.answered();
    }
  }

  async #follow(service: FaultyService): Promise<void> {
    // The program may be killed before it has answered.
    this.#stream = await service.stream(this.#lastEventId).catch(() => undefined);
    await this.#stream?.ended();
    for (const { id = '', data } of this.#stream?.events.filter(isQuote) ?? []) {
      assert.ok(Number(id) > Number(this.#lastEventId), `${id} after ${this.#lastEventId}`);
      this.#lastEventId = id;
      this.#seeOne(JSON.parse(data) as ReadQuote);
      this.events += 1;
    }
  }

  #seeOne(quote: ReadQuote): void {
    const before = this.#shown.get(quote.especie);
    this.#shown.set(quote.especie, quote);
    if (before === undefined) return;
    const [time, timeBefore] = [quote, before].map(({ fecha, hora }) => `${fecha} ${hora}`);
    assert.ok(String(time) >= String(timeBefore), `${quote.especie}: ${time} after ${timeBefore}`);
    if (time === timeBefore) assert.equal(quote.ultimo, before.ultimo, quote.especie);
  }
}

function isQuote({ event }: StreamEvent): boolean {
  return event === 'cotizacion';
}

/** Ignores the TypeError that `fetch` throws when the connection breaks. Any other error fails the test. */
function ifCut(error: unknown): undefined {
  if (!(error instanceof TypeError)) throw error;
}
