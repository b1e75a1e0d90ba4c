import assert from 'node:assert/strict';
import { closeSync, openSync, rmSync, writeSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';

import { checkIntegrity } from './check-integrity.ts';
import { pushedTickers } from './flat-universe.ts';
import { Installation, type FaultyService } from './installation.ts';
import { Lane } from './lane.ts';
import { isLongRun } from './long-run.ts';
import { mountSmall, orSkip } from './mounted.ts';
import { runPizarra } from '../support/program/program.ts';

/** Number of times that the disk becomes full. */
const rounds = isLongRun ? 10 : 1;

/** Size of the disk: just enough for the database and its log. */
const diskKib = 2048;

test('on a full disk pushes get 503 and reads continue; when there is space again, the service recovers by itself', async (t) => {
  await using installation = await orSkip(t, makeOnSmallDisk());
  if (installation === undefined) return;
  await using service = await installation.start();
  const lane = new Lane(pushedTickers);
  await lane.pushTo(service);
  for (let round = 0; round < rounds; round += 1) {
    const disk = fillUp(installation.data);
    const shownBefore = await pushUntilRefused(service, lane);

    assert.deepEqual(
      await service.quotes(),
      shownBefore,
      'no quote is published that is not durable',
    );
    const { status, body } = await service.readiness();
    assert.equal(status, 503);
    assert.match(body, /"store":\{"ok":false,"reason":"the last \d+ commits failed"\}/);
    assert.ok((await service.metric('pizarra_commit_failures_total')) > round);
    assert.ok(service.logged('database or disk is full').length > round);

    disk[Symbol.dispose]();
    await service.becomes('ready', async () => (await service.readiness()).status === 200);
    // The refused updates are not lost. They were queued, and are durable now.
    lane.answered();
    await lane.pushTo(service);
    assert.equal(service.logged('quotes stored again').length, round + 1);
  }
  await lane.check(service);
});

test('after a kill with a full disk, the service starts on the full disk, serves the acknowledged updates, and recovers', async (t) => {
  await using installation = await orSkip(t, makeOnSmallDisk());
  if (installation === undefined) return;
  const lane = new Lane(pushedTickers);
  await using first = await installation.start();
  await lane.pushTo(first);
  {
    using _ = fillUp(installation.data);
    await pushUntilRefused(first, lane);
    await first.kill();
    await using second = await installation.start();
    await lane.check(second);
    await second.kill();
  }
  await using third = await installation.start();
  await lane.pushTo(third);
  await lane.check(third);
  assert.equal(await third.program.stop(), 0);
  checkIntegrity(installation.data);
});

test('on a full disk every command and the doctor say that it is full', async (t) => {
  await using installation = await orSkip(t, makeOnSmallDisk());
  if (installation === undefined) return;
  const { data, directory } = installation;
  const file = join(directory, 'closes.csv');
  await writeFile(file, 'ticker,date,close\nGGAL,2026-11-20,7410\n');
  using _ = fillUp(data);
  const isFull = /no space left on device|database or disk is full/;
  for (const storeAt of [data, join(data, 'new')]) {
    for (const command of [
      ['keys', 'create', '--name', 'x'],
      ['import', file],
    ]) {
      const { code, stderr } = await runPizarra([...command, '--store', storeAt]);
      assert.equal(code, 1);
      assert.match(stderr, isFull, command.join());
    }
    const { code, stdout } = await runPizarra(['doctor', '--store', storeAt]);
    assert.equal(code, 1);
    assert.match(stdout, /no space left on device|^WRONG +disk +0 MiB are free/m);
  }
});

function makeOnSmallDisk(): Promise<Installation> {
  return Installation.make((data) => mountSmall(data, diskKib));
}

/** Pushes until the disk is full, and returns the quotes at that point. */
async function pushUntilRefused(service: FaultyService, lane: Lane) {
  for (;;) {
    const shown = await service.quotes();
    const { status, body, retryAfter } = await service.push(lane.nextBatch());
    if (status === 503) {
      assert.match(body, /The store failed .* Send the whole body again/);
      assert.equal(retryAfter, '1');
      return shown;
    }
    assert.equal(status, 200, body);
    lane.answered();
  }
}

/** Fills all free space on the disk of a directory, until disposed. */
function fillUp(directory: string): Disposable {
  const path = join(directory, 'filler');
  const file = openSync(path, 'a');
  for (const bytes of [64 * 1024, 4096, 1]) {
    try {
      for (;;) writeSync(file, Buffer.alloc(bytes));
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error;
    }
  }
  closeSync(file);
  return { [Symbol.dispose]: () => rmSync(path, { force: true }) };
}
