import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';

import * as fc from 'fast-check';

import { startPizarra, temporaryDirectory } from '../support/program/program.ts';
import { assertAnswers, exchange } from '../support/http/exchange-bytes.ts';
import { fuzzCases } from '../support/http/requests.ts';

/** Number of requests. `npm run test:fuzz` sets a larger one. */
const requestsMin = Number(process.env['FUZZ_REQUESTS'] ?? 10_000);

/** The seed. `FUZZ_SEED=… npm run test:fuzz` repeats the same requests. */
const seed = Number(process.env['FUZZ_SEED'] ?? Date.now() % 2 ** 31);

const casesPerBatch = 500;
const connectionsMax = 16;

/** Maximum growth of the server's memory from the warm state to the end, in bytes. */
const growthBytesMax = 96 * 2 ** 20;

/** Minimum number of requests for checking the memory. With fewer, the caches are still filling. */
const judgedFrom = 100_000;

/** The memory of a process in bytes, on Linux; undefined on other systems. */
function memoryOf(pid: number): number | undefined {
  try {
    const status = readFileSync(`/proc/${pid}/status`, 'utf8');
    return Number(/^VmRSS:\s+(\d+) kB/m.exec(status)?.[1]) * 1024;
  } catch {
    return undefined;
  }
}

function mib(bytes: number | undefined): string {
  return `${Math.round((bytes ?? 0) / 2 ** 20)} MiB`;
}

test(
  'a running service responds to any bytes as the contract describes, without 5xx or a hang',
  {
    timeout: 24 * 3_600_000,
  },
  async (t) => {
    t.diagnostic(`seed ${seed}`);
    await using directory = await temporaryDirectory();
    await using service = await startPizarra([
      '--store',
      directory.path,
      '--failures-per-address',
      'unlimited',
      '--access-log',
      'off',
    ]);
    const cases = fuzzCases(await service.firstKey());
    const port = Number(new URL(service.url).port);
    let sent = 0;
    let warm: number | undefined;
    for (let batch = 0; ; batch += 1) {
      const waiting = fc.sample(cases, { seed: seed + batch, numRuns: casesPerBatch });
      const send = async (place: number): Promise<void> => {
        for (let one = waiting.pop(); one !== undefined; one = waiting.pop()) {
          try {
            assertAnswers(await exchange({ port }, one, waiting.length + place), one);
          } catch (cause) {
            const bytes = JSON.stringify(one.bytes.toString('latin1'));
            throw new Error(`seed ${seed}, batch ${batch}: to ${bytes}`, { cause });
          }
          sent += one.requests;
        }
      };
      await Promise.all(Array.from({ length: connectionsMax }, (_, place) => send(place)));
      if (sent >= requestsMin) break;
      if (warm === undefined && sent >= requestsMin / 5) warm = memoryOf(service.child.pid ?? 0);
    }
    const last = memoryOf(service.child.pid ?? 0);
    t.diagnostic(
      `${sent} requests; memory ${mib(warm)} after a fifth of them, ${mib(last)} at the end`,
    );
    assert.doesNotMatch(service.stderr(), /"level":"(?:error|fatal)"/);
    assert.equal(service.child.exitCode, null, service.stderr().slice(-2_000));
    if (sent >= judgedFrom && warm !== undefined && last !== undefined) {
      assert.ok(last - warm < growthBytesMax, `memory grew from ${mib(warm)} to ${mib(last)}`);
    }
  },
);
