import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { test, type TestContext } from 'node:test';

import { OperatorFault, UsageFault } from '../../lib/reports/operator-fault.ts';
import { reportFault } from './report-fault.ts';

/** What a fault prints, and its exit code. */
function reported(t: TestContext, fault: unknown): readonly [string, number] {
  const written: string[] = [];
  const write = t.mock.method(process.stderr, 'write', (text: string) => {
    written.push(text);
    return true;
  });
  const code = reportFault(fault);
  write.mock.restore();
  return [written.join(''), code];
}

test('a full disk is reported with the file and what to do, and not as a defect', (t) => {
  let fault: unknown;
  try {
    // The device of Linux that is always full.
    writeFileSync('/dev/full', 'x');
  } catch (error) {
    fault = error;
  }
  const made = Object.assign(new Error('x'), { code: 'ENOSPC', errno: -28, path: '/data/a' });
  for (const one of process.platform === 'linux' ? [fault, made] : [made]) {
    const [text, code] = reported(t, one);
    assert.match(text, /^pizarra: Cannot write .*: no space left on device\. Check the disk/);
    assert.equal(code, 1);
  }
});

test('a fault for the operator is its message, a wrong call has the code 2, and anything else is a defect', (t) => {
  assert.deepEqual(reported(t, new OperatorFault('No.')), ['pizarra: No.\n', 1]);
  assert.deepEqual(reported(t, new UsageFault('No.')), ['pizarra: No.\n', 2]);
  const twice = new SuppressedError(new Error('later'), new UsageFault('No.'));
  assert.deepEqual(reported(t, twice), ['pizarra: No.\n', 2]);
  assert.match(reported(t, new TypeError('x'))[0], /This is a defect of Pizarra.*TypeError: x/s);
});
