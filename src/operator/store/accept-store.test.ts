import assert from 'node:assert/strict';
import { test } from 'node:test';

import { temporaryDirectory } from '../../../test/store/temporary-directory.ts';
import { acceptStore } from './accept-store.ts';

test('a data directory replaces no line', async (t) => {
  await assert.rejects(acceptStore(await temporaryDirectory(t), '1/1'), {
    name: 'StoreFault',
    code: 'unsupported',
  });
});
