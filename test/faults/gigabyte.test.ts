import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { test } from 'node:test';

import { pushedTickers } from './flat-universe.ts';
import { Installation, type FaultyService } from './installation.ts';
import { isLongRun } from './long-run.ts';

const mib = 2 ** 20;

/** The maximum length of a body in the test. The default setting is 1 GiB. */
const limitMib = isLongRun ? 1_024 : 16;
const bodyMib = limitMib + 1;

/** Maximum growth of the process's memory during the push, in MiB. */
const growthMibMax = 250;

const args = ['--updates-body-bytes-max', String(limitMib * mib)];

/** Reading the memory of another process needs /proc. */
const onLinux = { skip: process.platform !== 'linux' && 'needs /proc' };

test(
  'an endless body gets 413, all updates before the limit are applied, and memory stays bounded',
  onLinux,
  async (t) => {
    await using installation = await Installation.make();
    await using service = await installation.start({ args });
    const before = await peakMemory(service);
    const { status, body } = await service.pushStream(updates());
    assert.equal(status, 413, body);
    const report = JSON.parse(body) as Readonly<Record<string, number>>;
    const { received = 0, accepted = 0, unchanged = 0 } = report;
    assert.ok(accepted >= pushedTickers.length, body);
    assert.equal(received, accepted + unchanged, body);
    await assertWell(service);
    const growth = (await peakMemory(service)) - before;
    t.diagnostic(`${bodyMib} MiB, ${received} updates: ${growth.toFixed(0)} MiB more at the peak`);
    assert.ok(growth < growthMibMax, `${growth} MiB`);
  },
);

test('a body of one endless line is refused, and memory stays bounded', onLinux, async (t) => {
  await using installation = await Installation.make();
  await using service = await installation.start({ args });
  const before = await peakMemory(service);
  const { status, body } = await service.pushStream(oneLine());
  assert.ok(status === 413 || status === 200, body);
  assert.equal((JSON.parse(body) as Readonly<Record<string, number>>)['accepted'], 0, body);
  await assertWell(service);
  const growth = (await peakMemory(service)) - before;
  t.diagnostic(`${bodyMib} MiB, answered ${status}: ${growth.toFixed(0)} MiB more at the peak`);
  assert.ok(growth < growthMibMax, `${growth} MiB`);
});

/** Fails unless the service accepts a valid update and publishes it. */
async function assertWell(service: FaultyService): Promise<void> {
  const [ticker = ''] = pushedTickers;
  const at = new Date().toISOString();
  const { status, body } = await service.push([{ ticker, at, last: 7 }]);
  assert.equal(status, 200, body);
  assert.equal((await service.quotes()).get(ticker)?.ultimo, 7);
  assert.equal((await service.readiness()).status, 200);
}

/** An endless stream of valid updates. Most of them change nothing. */
async function* updates(): AsyncGenerator<Uint8Array> {
  const lines = pushedTickers.map(
    (ticker, index) =>
      `{"ticker":"${ticker}","at":"2025-06-02T12:00:00-03:00","last":${index + 1}}\n`,
  );
  const some = Buffer.from(lines.join('').repeat(16));
  for (let sent = 0; sent < bodyMib * mib; sent += some.length) yield some;
}

async function* oneLine(): AsyncGenerator<Uint8Array> {
  const some = Buffer.alloc(64 * 1024, 'x');
  for (let sent = 0; sent < bodyMib * mib; sent += some.length) yield some;
}

/** The peak memory of the process, in MiB. */
async function peakMemory({ pid }: FaultyService): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8');
  return Number(/VmHWM:\s+(\d+) kB/.exec(status)?.[1] ?? Number.NaN) / 1024;
}
