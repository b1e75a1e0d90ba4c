/**
 * The package `pizarra-client` of Python, built as for a release and installed in an empty environment without a
 * network, and its programs against a running service.
 */
import assert from 'node:assert/strict';
import { readdirSync, writeFileSync } from 'node:fs';
import { cp } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';

import { textOf } from '../docs/blocks.ts';
import { attempt, run } from '../install/commands.ts';
import { temporaryDirectory } from '../support/program/program.ts';
import { findPython } from '../support/program/python.ts';
import { startDemoService, type DemoService } from './demo-service.ts';

const source = join(import.meta.dirname, '../../clients/python');
const found = findPython();
const python = 'python' in found ? found.python : '';
const skip = 'skip' in found ? found.skip : whyNoEnvironment();

/** Debian has the modules that create environments in packages of their own. */
function whyNoEnvironment(): string | false {
  const { status } = attempt([python, '-c', 'import venv, ensurepip']);
  return status === 0 ? false : 'python3-venv is not installed';
}

describe('the package pizarra-client of Python', { concurrency: 1, skip }, () => {
  const cleanUp = new AsyncDisposableStack();
  let folder = '';
  let demo: DemoService;
  const inFolder = (...command: readonly string[]): string => {
    const [program = '', ...args] = command;
    const strict = program === 'python' ? { PYTHONWARNINGS: 'error' } : {};
    const env = { ...process.env, ...demo.env, PIP_NO_INDEX: '1', ...strict };
    return run([join(folder, 'venv/bin', program), ...args], { cwd: folder, env });
  };

  const example = (file: string, ...args: readonly string[]): string =>
    inFolder('python', `source/examples/${file}`, ...args);

  before(async () => {
    ({ path: folder } = cleanUp.use(await temporaryDirectory()));
    demo = cleanUp.use(await startDemoService());
    run([python, '-m', 'venv', join(folder, 'venv')]);
    await cp(source, join(folder, 'source'), { recursive: true });
    inFolder('pip', '-q', 'wheel', '--no-deps', '--wheel-dir', 'dist', './source');
    inFolder(
      'pip',
      '-q',
      'install',
      ...readdirSync(join(folder, 'dist')).map((name) => `dist/${name}`),
    );
  });
  after(() => cleanUp.disposeAsync());

  test('pip accepts the package, and it has its types and its license', () => {
    const shown = inFolder('pip', 'show', '--files', 'pizarra-client');
    assert.match(shown, /Version: \d+\.\d+\.\d+\w*\n/);
    assert.match(shown, /pizarra_client\/py\.typed\n/);
    assert.match(shown, /dist-info\/licenses\/LICENSE\n/);
    assert.doesNotMatch(shown, /tests|build_backend/);
    inFolder('pip', 'check');
  });

  test('the source archive builds the same wheel', () => {
    const build =
      'import sys; sys.path.insert(0, "build_backend"); import pizarra_build as b; print(b.build_sdist(sys.argv[1]))';
    const archive = run([python, '-c', build, folder], { cwd: join(folder, 'source') }).trim();
    inFolder('pip', '-q', 'wheel', '--no-deps', '--wheel-dir', 'again', archive);
    const [wheel = ''] = readdirSync(join(folder, 'again'));
    run(['cmp', join(folder, 'dist', wheel), join(folder, 'again', wheel)]);
  });

  test('pip install -e uses the sources as they are, without a network', () => {
    run([python, '-m', 'venv', join(folder, 'editable')]);
    const env = { ...process.env, PIP_NO_INDEX: '1' };
    const inEditable = (program: string, ...args: readonly string[]): string =>
      run([join(folder, 'editable/bin', program), ...args], { cwd: folder, env });
    inEditable('pip', '-q', 'install', '-e', './source');
    const shown = inEditable('python', '-c', 'import pizarra_client as p; print(p.__file__)');
    assert.equal(shown.trim(), join(folder, 'source/src/pizarra_client/__init__.py'));
    inEditable('pip', 'check');
  });

  test('its tests pass against a service with a demonstration, the limit of a key included', () => {
    const env = { ...process.env, ...demo.env };
    const command = [join(folder, 'venv/bin/python'), '-W', 'error', '-m', 'unittest', '-v'];
    const { status, stdout, stderr } = attempt(command, { cwd: join(folder, 'source'), env });
    assert.equal(status, 0, stdout + stderr);
    assert.match(stderr, /test_a_request_beyond_the_limit_is_sent_again_after_retry_after .*ok/);
  });

  test('its hints pass mypy --strict, and its rows become data frames of pandas', (t) => {
    const pip = join(folder, 'venv/bin/pip');
    const wanted = ['mypy>=1.13', 'pandas>=1.5'];
    const { status } = attempt([pip, '-q', 'install', '--timeout', '30', ...wanted]);
    if (status !== 0) {
      t.skip('mypy and pandas could not be installed');
      return;
    }
    const paths = ['source/src', 'source/examples/quotes.py', 'source/examples/stream.py'];
    // pandas has its stubs in a package of their own.
    const flags = [
      '--strict',
      '--disable-error-code',
      'import-untyped',
      '--disable-error-code',
      'no-any-unimported',
    ];
    run([join(folder, 'venv/bin/mypy'), ...flags, ...paths], { cwd: folder });
    const env = { ...process.env, ...demo.env };
    const command = [join(folder, 'venv/bin/python'), '-m', 'unittest', '-v', '-k', 'data_frame'];
    const tested = attempt(command, { cwd: join(folder, 'source'), env });
    assert.equal(tested.status, 0, tested.stderr);
    assert.match(tested.stderr, /test_rows_become_a_data_frame .*ok/);
  });

  test('the programs of its README and its examples do what they say', () => {
    const blocks = [...textOf('clients/python/README.md').matchAll(/^```python\n(.*?)^```$/gms)];
    const outputs = blocks.map(([, text = ''], at) => {
      writeFileSync(join(folder, `readme_${at}.py`), text);
      return inFolder('python', `readme_${at}.py`);
    });
    assert.equal(outputs.length, 7);
    assert.match(outputs[0] ?? '', /^GGAL [\d.]+ [\s\S]*\('NOEXISTE',\)\n$/);
    assert.match(outputs[1] ?? '', /^GGAL [\d.]+ ARS\nAL30 [\d.]+ ARS\n$/);
    assert.match(outputs[2] ?? '', /GGAL [\d.]+ \('NOEXISTE',\)\n$/);
    assert.match(outputs[3] ?? '', /^\d{4}-\d\d-\d\d [\d.]+\n/);
    assert.equal(outputs[4]?.trim().split('\n').length, 5);
    assert.match(outputs[5] ?? '', /^\d+ (?:abierto|cerrado)\n[\d.]+\n$/);
    assert.match(outputs[6] ?? '', /^400 .*2026-02-30/);
    assert.match(
      example('quotes.py', 'GGAL', 'NOEXISTE'),
      /^Made-up prices.*\nGGAL .*\nNot found: NOEXISTE\n$/,
    );
    assert.match(
      example('history.py'),
      /^GGAL: \d+ closes.*\nreturn .* %\nvolatility .* % a year\n$/,
    );
    assert.match(example('stream.py', 'LID', '3'), /^connected\n(?:\w+ [\d.]+\n){3}$/);
    assert.equal(example('stream_async.py', '3').trim().split('\n').length, 6);
  });
});
