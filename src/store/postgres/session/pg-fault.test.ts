import assert from 'node:assert/strict';
import { test } from 'node:test';

import { StoreFault } from '../../contract/store-fault.ts';
import { endsSession, isLostConnection, toPgFault } from './pg-fault.ts';

test('a fault of the store itself is no lost connection, and stays as it is', () => {
  const fault = new StoreFault('fenced', 'another writer has taken over');
  assert.equal(isLostConnection(fault), false);
  assert.equal(endsSession(fault), false);
  assert.equal(toPgFault(fault, 'here'), fault);
});

test('an error of the network is a lost connection, and a defect of this program is not', () => {
  const reset = Object.assign(new Error('read ECONNRESET'), { code: 'ECONNRESET' });
  assert.equal(isLostConnection(reset), true);
  assert.deepEqual(
    [toPgFault(reset, 'here')].map((one) => one instanceof StoreFault && one.code),
    ['unavailable'],
  );
  const defect = new TypeError('x is not a function');
  assert.equal(isLostConnection(defect), false);
  assert.equal(toPgFault(defect, 'here'), defect);
});
