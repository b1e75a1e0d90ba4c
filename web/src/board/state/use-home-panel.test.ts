import assert from 'node:assert/strict';
import { test } from 'node:test';

import { findPanel } from './use-home-panel.ts';

test('the first panel with quotes is found, and no later one is requested', async () => {
  const asked: string[] = [];
  const found = await findPanel(['LID', 'IND', 'CED'], async (panel) => {
    asked.push(panel);
    return { ok: true, value: panel === 'LID' ? [] : [1] };
  });
  assert.equal(found, 'IND');
  assert.deepEqual(asked, ['LID', 'IND']);
});

test('without quotes in any panel, or without a response, no panel is found', async () => {
  const none = await findPanel(['LID', 'IND'], async () => ({ ok: true, value: [] }));
  assert.equal(none, undefined);
  const failure = { kind: 'unreachable' } as const;
  assert.equal(await findPanel(['LID'], async () => ({ ok: false, failure })), undefined);
});
