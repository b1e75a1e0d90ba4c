import assert from 'node:assert/strict';
import { PassThrough } from 'node:stream';
import { test } from 'node:test';
import { askSecret } from './terminal.ts';

/** A terminal, and the modes that were set. */
function terminal() {
  const modes: boolean[] = [];
  const input = Object.assign(new PassThrough(), {
    setRawMode: (isRaw: boolean) => modes.push(isRaw),
  });
  return { input, modes };
}

const never = new AbortController().signal;

test('a line is read in raw mode, which shows nothing, and the mode is restored', async () => {
  for (const [typed, line] of [
    [['pz_a', 'bc\r', 'rest'], 'pz_abc'],
    [['pz_x\u007F\b', 'y\n'], 'pzy'],
    [['pz\u0004'], 'pz'],
    [['\u007F\r'], ''],
  ] as const) {
    const { input, modes } = terminal();
    const asked = askSecret('', never, input);
    for (const part of typed) input.write(part);
    assert.equal(await asked, line);
    assert.deepEqual(modes, [true, false]);
  }
});

test('the end of the input ends the line', async () => {
  const { input } = terminal();
  const asked = askSecret('', never, input);
  input.end('pz');
  assert.equal(await asked, 'pz');
});

test('an interrupt ends the question, and the mode is restored', async () => {
  const { input, modes } = terminal();
  const interrupt = new AbortController();
  const asked = askSecret('', interrupt.signal, input);
  interrupt.abort(new Error('interrupted'));
  await assert.rejects(asked, /interrupted/);
  assert.deepEqual(modes, [true, false]);
  await assert.rejects(askSecret('', interrupt.signal, input), /interrupted/);
});
