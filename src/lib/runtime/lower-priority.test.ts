import assert from 'node:assert/strict';
import { getPriority } from 'node:os';
import { test } from 'node:test';
import { Worker } from 'node:worker_threads';

import { once } from '../../../test/support/wait.ts';

const onlyOnLinux = { skip: process.platform !== 'linux' && 'threads have no priority' };

test(
  'only the priority of the calling thread is lowered, at most to the lowest',
  onlyOnLinux,
  async () => {
    const before = getPriority();
    const { href } = new URL('lower-priority.ts', import.meta.url);
    const worker = new Worker(
      `const { getPriority } = require('node:os');
    const { parentPort } = require('node:worker_threads');
    import(${JSON.stringify(href)}).then(({ lowerPriority }) => {
      const reached = Array.from({ length: 3 }, () => {
        lowerPriority();
        return getPriority();
      });
      parentPort.postMessage(reached);
    });`,
      { eval: true },
    );
    const [reached] = (await once(worker, 'message')) as [number[]];
    const expected = [10, 20, 30].map((step) => Math.min(before + step, 19));
    assert.deepEqual(reached, expected);
    assert.equal(getPriority(), before);
  },
);
