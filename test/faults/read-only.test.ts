import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';

import { pushedTickers } from './flat-universe.ts';
import { Installation } from './installation.ts';
import { Lane } from './lane.ts';
import { mountBreakable, mountReadOnly, orSkip, type BreakableDisk } from './mounted.ts';
import { runPizarra } from '../support/program/program.ts';

test('when the disk turns read-only, pushes get 503, reads continue, and no acknowledged update is lost', async (t) => {
  let disk: BreakableDisk | undefined;
  await using installation = await orSkip(
    t,
    Installation.make(async (data) => {
      disk = await mountBreakable(data, { image: join(data, '../disk.img'), mib: 32 });
      return disk;
    }),
  );
  if (installation === undefined) return;
  const lane = new Lane(pushedTickers);
  {
    await using service = await installation.start();
    await lane.pushTo(service);
    const shown = await service.quotes();
    await disk?.breakDown();
    const { status, body } = await service.push(lane.nextBatch());
    assert.equal(status, 503, body);
    assert.deepEqual(await service.quotes(), shown, 'no quote is published that is not durable');
    assert.equal((await service.readiness()).status, 503);
    assert.ok((await service.metric('pizarra_commit_failures_total')) > 0);
    assert.ok(service.logged('quotes not stored, retrying').length > 0);
    await service.kill();
  }
  const { code, stderr } = await installation.startInVain();
  assert.equal(code, 1);
  assert.match(stderr, /^pizarra: cannot use \S+: read-only file system\n$/);

  await disk?.mend();
  await using service = await installation.start();
  await lane.check(service);
  await lane.pushTo(service);
  assert.equal(await service.program.stop(), 0);
});

test('a data directory that cannot be written is refused with an error of one line, and not changed', async (t) => {
  await using installation = await Installation.make();
  await using mounted = await orSkip(t, mountReadOnly(installation.data));
  if (mounted === undefined) return;
  const { code, stderr } = await installation.startInVain();
  assert.equal(code, 1);
  assert.match(stderr, /^pizarra: cannot use \S+: read-only file system\n$/);
});

test('on a read-only file system every command and the doctor name it, and not another cause', async (t) => {
  await using installation = await Installation.make();
  const { data, directory } = installation;
  const file = join(directory, 'closes.csv');
  await writeFile(file, 'ticker,date,close\nGGAL,2026-11-20,7410\n');
  await using mounted = await orSkip(t, mountReadOnly(data));
  if (mounted === undefined) return;
  for (const storeAt of [data, join(data, 'new')]) {
    for (const command of [
      ['keys', 'create', '--name', 'x'],
      ['import', file],
      ['keys', 'list'],
    ]) {
      const { code, stderr } = await runPizarra([...command, '--store', storeAt]);
      assert.equal(code, 1);
      if (command[1] === 'list' && storeAt !== data) continue;
      assert.match(stderr, /^pizarra: cannot use \S+: read-only file system\n$/, command.join());
    }
    const { code, stdout } = await runPizarra(['doctor', '--store', storeAt]);
    assert.equal(code, 1);
    assert.match(stdout, /^WRONG +data +.*read-only file system/m);
  }
});
