import assert from 'node:assert/strict';
import { test } from 'node:test';

import { temporaryDirectory } from '../../../test/store/temporary-directory.ts';
import { openPlace } from '../../node/place/open-place.ts';

test('a data directory replaces no line', async (t) => {
  await using place = openPlace(await temporaryDirectory(t));
  await assert.rejects(place.acceptInsteadOf('1/1'), {
    name: 'StoreFault',
    code: 'unsupported',
  });
});
