import assert from 'node:assert/strict';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type { Writable } from 'node:stream';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';

import type { Ticker } from '../../src/domain/instruments/ticker.ts';
import { databaseFileName } from '../../src/store/sqlite/file/database-file.ts';
import { startLineProcess, type LineProcess } from '../store/line-process.ts';
import { temporaryDirectory } from '../store/temporary-directory.ts';
import type { Batch, Done, Ready } from './kill-protocol.ts';
import { makeBatch } from './push-load.ts';
import { PusherRecord } from './pusher-record.ts';
import { isInPostgres } from '../support/program/test-store.ts';
import { deferred, once } from '../support/wait.ts';

/** Number of kills under load. `npm run test:kill` sets it to 100. */
const kills = Number(process.env['KILL_ROUNDS'] ?? 3);
const isFull = kills >= 100;

/** Maximum number of batches that are sent but not yet durable. */
const windowMax = 16;
/** One kill in this number comes while the program starts. */
const startupKillEvery = 6;
/** One kill in this number comes while the program moves the closes of ended sessions to history. */
const settlingKillEvery = 8;
/** Time from the start until the program settles sessions, in milliseconds: about a second. */
const settlingFromMs = 980;
const settlingLengthMs = 80;
/** Approximate duration of a start, in milliseconds. A kill during the start comes within this time. */
const startupMs = 250;
/** Maximum number of batches that become durable between a start and the kill. */
const batchesPerLifeMax = 80;
/** Maximum time from the start of the process to a complete board, in milliseconds. */
const servedMsMax = 1_000;

test(
  'after a kill at any time under load, every acknowledged update, close and bar exists, and versions only increase',
  { timeout: 600_000 + kills * 100_000 },
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
    // The time is only checked in the full run, when no other test runs at the same time.
    if (isFull) assert.ok(slowest < servedMsMax, `${slowest} ms`);
  },
);

/** Pushes a load, kills the program, and compares the state after the restart with its own record. */
class Pusher implements AsyncDisposable {
  readonly servedMs: number[] = [];
  killsUnderLoad = 0;
  killsAtStart = 0;
  killsWhileSettling = 0;
  /** Number of closes that were in history before a later session began. */
  settledCloses = 0;
  readonly #directory: string;
  readonly #record = new PusherRecord();
  /** Batches that were sent but not acknowledged, in order. The program may have stored some of them. */
  #unacknowledged: Batch[] = [];
  readonly #shown = new Map<Ticker, number>();
  #highestShown = 0;
  #failure: unknown;
  #isPaused = false;
  #life: LineProcess | undefined;

  constructor(directory: string) {
    this.#directory = directory;
  }

  /** Number of batches that are known to be durable. */
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

  /** Kills the program, also after a failed test. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.#life?.child.kill('SIGKILL');
    await this.#life?.ended;
  }

  #start(): LineProcess {
    const program = new URL('./kill-target.ts', import.meta.url);
    const life = startLineProcess(program, [this.#directory, String(this.#record.now)]);
    // Writes that are pending when the program is killed fail.
    life.child.stdin.on('error', () => undefined);
    this.#life = life;
    return life;
  }

  async #startAndCheck(): Promise<LineProcess> {
    const life = this.#start();
    // A program that ends by itself must fail the test instead of blocking it.
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

  /** Fails unless the state is that after all acknowledged batches and some of the next ones, in order. */
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
    assert.ok(
      version >= before,
      `${ticker} was published with version ${before} and has ${version}`,
    );
  }

  /** Keeps the window full, and resolves when a batch is durable. */
  async #pushUntil({ child, lines, ended }: LineProcess, target: number): Promise<void> {
    const { promise: reached, resolve } = deferred<void>();
    // Read until the process has ended, because a client may have seen all that was published.
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

/** PostgreSQL checks its own pages. */
function checkIntegrity(directory: string): void {
  if (isInPostgres) return;
  using database = new DatabaseSync(join(directory, databaseFileName), { readOnly: true });
  const [verdict] = database.prepare('PRAGMA integrity_check').all();
  assert.deepEqual({ ...verdict }, { integrity_check: 'ok' });
}
