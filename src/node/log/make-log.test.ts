import assert from 'node:assert/strict';
import { test } from 'node:test';
import { findPython, runPython } from '../../../test/support/program/python.ts';

const found = findPython();
const options = 'skip' in found ? { skip: found.skip } : {};
const python = 'python' in found ? found.python : '';

/** What a log prints to a terminal. Python creates the terminal. */
async function printed(environment: Readonly<Record<string, string>>): Promise<string> {
  const program = `
    const { makeLog } = await import(${JSON.stringify(new URL('make-log.ts', import.meta.url).href)});
    const { log, flush } = await makeLog({ logLevel: 'info', logFormat: 'auto' });
    log.warn({ feed: 'byma' }, 'feed reconnecting');
    await flush();`;
  const command = [process.execPath, '--input-type=module', '--eval', program];
  const inTerminal = 'import pty, sys; sys.exit(pty.spawn(sys.argv[1:]) != 0)';
  const env = { TERM: 'xterm-256color', ...environment };
  const { code, output } = await runPython(python, ['-c', inTerminal, ...command], env);
  assert.equal(code, 0, output);
  assert.match(output, /feed reconnecting/);
  return output;
}

test(
  'the log has colours on a terminal, and none with NO_COLOR or on one without colours',
  options,
  async () => {
    assert.ok((await printed({})).includes('\u001b['));
    for (const environment of [{ NO_COLOR: '1' }, { TERM: 'dumb' }]) {
      assert.ok(!(await printed(environment)).includes('\u001b'), JSON.stringify(environment));
    }
  },
);
