import assert from 'node:assert/strict';
import { test } from 'node:test';

import { KeyUses } from './key-ring.ts';

const hour = 3_600_000;
const noon = 12 * hour;

test('many uses of a key in one hour are reported once, with the start of the hour', () => {
  const uses = new KeyUses();
  for (let ms = 0; ms < 1_000; ms += 1) uses.note('a', noon + 17 * ms);
  assert.deepEqual(uses.take(), [{ id: 'a', at: noon }]);
  uses.note('a', noon + hour - 1);
  assert.deepEqual(uses.take(), []);
  uses.note('a', noon + hour);
  assert.deepEqual(uses.take(), [{ id: 'a', at: noon + hour }]);
});

test('a use that is given back is reported again, unless there is a newer one', () => {
  const uses = new KeyUses();
  uses.note('a', noon);
  uses.note('b', noon);
  const taken = uses.take();
  uses.note('b', noon + hour);
  uses.giveBack(taken);
  assert.deepEqual(
    new Map(uses.take().map(({ id, at }) => [id, at])),
    new Map([
      ['a', noon],
      ['b', noon + hour],
    ]),
  );
});

test('a use that another process noted is reported when it is newer than the pending one', () => {
  const uses = new KeyUses();
  uses.note('a', noon);
  uses.giveBack([{ id: 'a', at: noon + hour }]);
  uses.giveBack([{ id: 'a', at: noon }]);
  assert.deepEqual(uses.take(), [{ id: 'a', at: noon + hour }]);
});
