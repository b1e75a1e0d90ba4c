import assert from 'node:assert/strict';
import { test } from 'node:test';

import { silentLog } from '../../lib/reports/log.ts';
import { watchDatabaseClock } from './watch-all.ts';

test('a clock that is off is logged once, and once more when it is right again', () => {
  const lines: string[] = [];
  const clock = { isOff: false, differenceMs: 3 };
  const log = {
    ...silentLog,
    error: (_details: object, text?: string) => void lines.push(`error ${text ?? ''}`),
    info: (_details: object, text?: string) => void lines.push(`info ${text ?? ''}`),
  };
  const look = watchDatabaseClock({ clock }, log);
  for (const isOff of [false, true, true, false, false]) {
    clock.isOff = isOff;
    look();
  }
  assert.deepEqual(
    lines.map((line) => line.split(',')[0]),
    [
      'error clock differs from that of the database',
      'info clock agrees with that of the database again',
    ],
  );
});

test('a place on this machine has no other clock', () => {
  watchDatabaseClock({}, silentLog)();
});
