import assert from 'node:assert/strict';
import { test } from 'node:test';

import { aheadMsMax, instantToCome } from './as-of.ts';

const at = Date.UTC(2026, 10, 19, 21, 30);

test('contract 4.18.3: an instant may be a minute ahead of the clock, and no more', () => {
  assert.equal(aheadMsMax, 60_000);
  assert.equal(instantToCome(at, at - aheadMsMax), undefined);
  assert.deepEqual(instantToCome(at, at - aheadMsMax - 1), {
    type: 'instant-to-come',
    parameter: 'conocido',
    value: '2026-11-19T21:30:00.000Z',
    now: '2026-11-19T21:28:59.999Z',
  });
});
