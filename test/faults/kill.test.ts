import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';

import { until } from '../support/wait.ts';
import { aliasTicker, flatTickers, pushedTickers } from './flat-universe.ts';
import { Installation, type FaultyService, type ReadQuote } from './installation.ts';
import { isLongRun } from './long-run.ts';
import { Lane } from './lane.ts';
import { checkIntegrity } from './check-integrity.ts';

/** Number of kills under load. */
const rounds = isLongRun ? 200 : 3;

/** Number of sources that push at the same time. */
const lanesCount = 4;

/** One kill in this number comes while the program starts, within `startupMs` milliseconds. */
const startupKillEvery = 6;
const startupMs = 700;

/** Maximum time from a start to the kill, in milliseconds. Some kills come within the first commit. */
const lifeMsMax = isLongRun ? 1_500 : 400;

test(
  'after a kill at any time while sources push, every acknowledged update and close is served, and no published quote is taken back',
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
    checkIntegrity(installation.data);
    assert.ok(load.acknowledged > rounds, `only ${load.acknowledged} updates`);
    t.diagnostic(
      `${rounds} kills under load, ${killsAtStart} at the start; ${load.acknowledged} updates ` +
        `acknowledged, ${load.unanswered} pushes cut, ${load.looks} looks at the board, ` +
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

/** Sources that push, and a client that reads. */
class Load {
  readonly #lanes = Array.from(
    { length: lanesCount },
    (_, lane) => new Lane(pushedTickers.filter((__, index) => index % lanesCount === lane)),
  );
  /** The last quotes that the client has read. */
  readonly #shown = new Map<string, ReadQuote>();
  unanswered = 0;
  looks = 0;
  settled = 0;

  get acknowledged(): number {
    return this.#lanes.reduce((sum, lane) => sum + lane.acknowledged, 0);
  }

  /** Fails unless every acknowledged update exists, and every quote that the client has read. */
  async check(service: FaultyService): Promise<void> {
    const quotes = await service.quotes();
    for (const ticker of flatTickers) this.#seeOne(ticker, quotes.get(ticker));
    for (const lane of this.#lanes) {
      for (const ticker of lane.tickers) {
        const { isSettled } = lane.check(ticker, quotes.get(ticker), await service.closes(ticker));
        if (isSettled) this.settled += 1;
      }
    }
    const [source = ''] = pushedTickers;
    const alias = quotes.get(aliasTicker);
    assert.equal(alias?.ultimo, quotes.get(source)?.ultimo, 'the derived quote equals its source');
    for (const lane of this.#lanes) lane.forgetUnanswered();
  }

  async pushUntilKilled(service: FaultyService, lifeMs: number): Promise<void> {
    const life = { isOver: false };
    const work = [
      ...this.#lanes.map((lane) => this.#push(service, lane, life)),
      this.#look(service, life),
    ];
    await sleep(lifeMs);
    // On a busy machine, no push is acknowledged within any of the lives. The first life waits for one.
    await until('an update is acknowledged', () => this.acknowledged > 0);
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

  async #look(service: FaultyService, life: { readonly isOver: boolean }): Promise<void> {
    while (!life.isOver) {
      const quotes = await service.quotes().catch(ifCut);
      if (quotes === undefined) return;
      for (const [ticker, quote] of quotes) this.#seeOne(ticker, quote);
      this.looks += 1;
      await sleep(5);
    }
  }

  #seeOne(ticker: string, quote: ReadQuote | undefined): void {
    const before = this.#shown.get(ticker);
    if (before === undefined) {
      if (quote !== undefined) this.#shown.set(ticker, quote);
      return;
    }
    assert.ok(quote !== undefined && quote.fecha >= before.fecha, `${ticker} was taken back`);
    if (quote.fecha === before.fecha) assert.equal(quote.ultimo, before.ultimo, ticker);
    this.#shown.set(ticker, quote);
  }
}

/** Ignores the TypeError that `fetch` throws when the connection breaks. Any other error fails the test. */
function ifCut(error: unknown): undefined {
  if (!(error instanceof TypeError)) throw error;
}
