import assert from 'node:assert/strict';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type { Writable } from 'node:stream';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';

import type { Ticker } from '../../src/domain/ticker.ts';
import { databaseFileName } from '../../src/store/sqlite/sqlite-store.ts';
import { startLineProcess } from '../store/line-process.ts';
import type { LineProcess } from '../store/line-process.ts';
import { temporaryDirectory } from '../store/temporary-directory.ts';
import type { Batch, Done, Ready } from './kill-protocol.ts';
import { makeBatch } from './push-load.ts';
import { PusherRecord } from './pusher-record.ts';
import { deferred, once } from '../support/wait.ts';

/** How often the program is killed under load; `npm run test:kill` asks for 100. */
const kills = Number(process.env['KILL_ROUNDS'] ?? 10);
const isFull = kills >= 100;

/** Batches that are sent and not yet durable, at most. */
const windowMax = 16;
/** One kill in so many comes while the program starts. */
const startupKillEvery = 6;
/** One kill in so many comes while the program hands ended sessions to history, unprompted. */
const settlingKillEvery = 8;
/** When it does so, in ms after its start: about a second, and a while. */
const settlingFromMs = 980;
const settlingLengthMs = 80;
/** Starting takes about so long, in ms; a kill while it does comes at some moment within. */
const startupMs = 250;
/** At most so many batches become durable between a start and the kill. */
const batchesPerLifeMax = 80;
/** What is required: from the start of the process to a complete board. */
const servedMsMax = 1_000;

test(
  'killed at any moment under load, it has every acknowledged update and close, and versions rise',
  { timeout: 60_000 + kills * 3_000 },
  async (t) => {
    const directory = await temporaryDirectory(t);
    await using pusher = new Pusher(directory);
    while (pusher.killsUnderLoad < kills) {
      if (Math.random() * startupKillEvery < 1) await pusher.killAtStart();
      else if (Math.random() * settlingKillEvery < 1) await pusher.killWhileSettling();
      else await pusher.killUnderLoad();
    }
    await pusher.endInPeace();
    checkIntegrity(directory);

    const slowest = Math.max(...pusher.servedMs);
    t.diagnostic(
      `${pusher.killsUnderLoad} kills under load, ${pusher.killsAtStart} at the start, ` +
        `${pusher.killsWhileSettling} while settling, ${pusher.settledCloses} closes settled; ` +
        `${pusher.batches} batches durable; board complete after ${slowest.toFixed(0)} ms at most`,
    );
    // Only where nothing else runs beside it is the clock a fair judge.
    if (isFull) assert.ok(slowest < servedMsMax, `${slowest} ms`);
  },
);

/** Pushes a load, kills the program under it, and holds what comes back against its own record. */
class Pusher implements AsyncDisposable {
  readonly servedMs: number[] = [];
  killsUnderLoad = 0;
  killsAtStart = 0;
  killsWhileSettling = 0;
  /** Closes that were there before a later session had begun. */
  settledCloses = 0;
  readonly #directory: string;
  readonly #record = new PusherRecord();
  /** Sent and perhaps durable, in order: what the program has is the record and some of these. */
  #unacknowledged: Batch[] = [];
  readonly #shown = new Map<Ticker, number>();
  #highestShown = 0;
  #failure: unknown;
  #isPaused = false;
  #life: LineProcess | undefined;

  constructor(directory: string) {
    this.#directory = directory;
  }

  /** How many batches are known to be durable. */
  get batches(): number {
    return this.#record.last;
  }

  async killAtStart(): Promise<void> {
    const life = this.#start();
    await Promise.race([sleep(Math.random() * startupMs), once(life.lines, 'line')]);
    life.child.kill('SIGKILL');
    assert.equal(await life.ended, 'SIGKILL');
    this.killsAtStart += 1;
  }

  async killUnderLoad(): Promise<void> {
    const life = await this.#startAndCheck();
    const target = this.#record.last + 1 + Math.floor(Math.random() * batchesPerLifeMax);
    await this.#pushUntil(life, target);
    await sleep(Math.random() * 3);
    await this.#kill(life);
    this.killsUnderLoad += 1;
  }

  async killWhileSettling(): Promise<void> {
    const life = await this.#startAndCheck();
    const settling = sleep(settlingFromMs + Math.random() * settlingLengthMs);
    await this.#pushUntil(life, this.#record.last + 1);
    this.#isPaused = true;
    await settling;
    await this.#kill(life);
    this.#isPaused = false;
    this.killsWhileSettling += 1;
  }

  async #kill({ child, ended }: LineProcess): Promise<void> {
    child.kill('SIGKILL');
    assert.equal(await ended, 'SIGKILL');
    if (this.#failure !== undefined) throw this.#failure;
  }

  async endInPeace(): Promise<void> {
    const life = await this.#startAndCheck();
    life.child.stdin.end();
    assert.equal(await life.ended, 0);
  }

  /** A failed test leaves no program behind. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.#life?.child.kill('SIGKILL');
    await this.#life?.ended;
  }

  #start(): LineProcess {
    const life = startLineProcess('../durability/kill-target.ts', [
      this.#directory,
      String(this.#record.now),
    ]);
    // What is still to be written when it is killed has nowhere to go.
    life.child.stdin.on('error', () => undefined);
    this.#life = life;
    return life;
  }

  async #startAndCheck(): Promise<LineProcess> {
    const life = this.#start();
    // A program that ends by itself must fail the test, not hold it up.
    const line = await Promise.race([
      once(life.lines, 'line').then(([first]) => String(first)),
      life.ended.then((end) => `ended with ${end}`),
    ]);
    assert.ok(line.startsWith('ready '), line);
    this.#check(JSON.parse(line.slice('ready '.length)) as Ready);
    return life;
  }

  #check(ready: Ready): void {
    this.servedMs.push(ready.servedMs);
    this.#findState(ready);
    for (const { ticker, version } of ready.quotes) this.#expectAtLeast(ticker, version);
    this.#highestShown = Math.max(this.#highestShown, ...ready.quotes.map((one) => one.version));
  }

  /** All that was acknowledged must be there, and of the rest the first so many batches, whole. */
  #findState(ready: Ready): void {
    for (;;) {
      try {
        this.settledCloses += this.#record.check(ready);
        this.#unacknowledged = [];
        return;
      } catch (error) {
        const next = this.#unacknowledged.shift();
        if (next === undefined) throw error;
        this.#record.apply(next);
      }
    }
  }

  #expectAtLeast(ticker: Ticker, version: number): void {
    const before = this.#shown.get(ticker) ?? 0;
    assert.ok(version >= before, `${ticker} was shown as ${before} and is ${version} now`);
  }

  /** Keeps the window full, and resolves when a batch is durable. */
  async #pushUntil({ child, lines, ended }: LineProcess, target: number): Promise<void> {
    const { promise: reached, resolve } = deferred<void>();
    // Goes on until the program is dead: what it still says was seen by somebody.
    lines.on('line', (line) => {
      try {
        this.#hear(line);
        this.#fillWindow(child.stdin);
      } catch (error) {
        this.#failure ??= error;
      }
      if (this.#record.last >= target || this.#failure !== undefined) resolve();
    });
    this.#fillWindow(child.stdin);
    await Promise.race([reached, ended]);
  }

  #fillWindow(program: Writable): void {
    while (!this.#isPaused && this.#unacknowledged.length < windowMax) {
      const batch = makeBatch(this.#record.last + this.#unacknowledged.length + 1);
      this.#unacknowledged.push(batch);
      program.write(`${JSON.stringify(batch)}\n`);
    }
  }

  #hear(line: string): void {
    const space = line.indexOf(' ');
    const details: unknown = JSON.parse(line.slice(space + 1));
    if (line.startsWith('shown ')) this.#hearShown(details as readonly [Ticker, number][]);
    else if (line.startsWith('done ')) this.#hearDone(details as Done);
    else assert.fail(line);
  }

  #hearShown(shown: readonly (readonly [Ticker, number])[]): void {
    for (const [ticker, version] of shown) {
      assert.ok(version > this.#highestShown, `${version} after ${this.#highestShown}`);
      this.#highestShown = version;
      this.#shown.set(ticker, version);
    }
  }

  #hearDone({ id, outcomes }: Done): void {
    const batch = this.#unacknowledged.shift();
    assert.equal(batch?.id, id);
    assert.ok(
      outcomes.every((outcome) => outcome === 'accepted'),
      JSON.stringify(outcomes),
    );
    this.#record.apply(batch);
  }
}

function checkIntegrity(directory: string): void {
  using database = new DatabaseSync(join(directory, databaseFileName), { readOnly: true });
  const [verdict] = database.prepare('PRAGMA integrity_check').all();
  assert.deepEqual({ ...verdict }, { integrity_check: 'ok' });
}
