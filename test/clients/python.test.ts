import assert from 'node:assert/strict';
import { createInterface } from 'node:readline';
import { test } from 'node:test';

import { startLineProxy } from '../support/program/line-proxy.ts';
import {
  findPython,
  pandasOf,
  runPython,
  runsPython,
  startPython,
} from '../support/program/python.ts';
import { sampleQuote } from '../support/market/sample-market.ts';
import { startTestServer, type TestServer } from '../support/http/start-test-server.ts';
import { once, within } from '../support/wait.ts';

/** The Python client, from its sources, against a real server. */

const found = findPython();
const options = 'skip' in found ? { skip: found.skip } : {};
const python = 'python' in found ? found.python : '';

test(
  'the unit tests of the Python client pass, those against a service included',
  options,
  async () => {
    await using server = await startTestServer();
    const env = { PIZARRA_URL: `http://127.0.0.1:${server.port}`, PIZARRA_KEY: server.key };
    const { code, output } = await runPython(python, ['-W', 'error', '-m', 'unittest'], env);
    assert.equal(code, 0, output);
    assert.match(output, /Ran \d\d tests/);
    assert.doesNotMatch(output, /Warning|Exception ignored/);
  },
);

/** The Python of the system may have pandas where that of the tests has none. */
const withPandas = [python, '/usr/bin/python3'].find((one) => one !== '' && pandasOf(one));

test(
  `the data frames of the Python client have the form of yfinance, with pandas ${withPandas === undefined ? '' : pandasOf(withPandas)}`,
  withPandas === undefined ? { skip: 'no Python here has pandas (Debian: python3-pandas)' } : {},
  async () => {
    const { code, output } = await runPython(
      withPandas ?? assert.fail(),
      ['-W', 'error', '-m', 'unittest', 'tests.test_download'],
      { NEEDS_PANDAS: '1' },
    );
    assert.equal(code, 0, output);
    assert.doesNotMatch(output, /skipped/);
  },
);

for (const other of ['python3.9', 'python3.13']) {
  test(
    `the history of the Python client is the same in ${other}, with and without pandas`,
    runsPython(other) ? {} : { skip: `${other} is not installed` },
    async () => {
      const command = ['-W', 'error', '-m', 'unittest', 'tests.test_download'];
      const { code, output } = await runPython(other, command, {});
      assert.equal(code, 0, output);
    },
  );
}

test(
  'pip install -e gives the sources as they are, with the metadata and the files of a wheel',
  options,
  async () => {
    const program = [
      'import sys, tempfile, zipfile, pathlib, hashlib, base64',
      'sys.path.insert(0, "build_backend")',
      'import pizarra_build as b',
      'assert b.get_requires_for_build_editable() == []',
      'with tempfile.TemporaryDirectory() as folder:',
      '    with zipfile.ZipFile(pathlib.Path(folder) / b.build_editable(folder)) as wheel:',
      '        texts = {name: wheel.read(name) for name in wheel.namelist()}',
      'pth = [name for name in texts if name.endswith(".pth")]',
      'print(pth, texts[pth[0]].decode().strip() == str(pathlib.Path("src").resolve()))',
      'print(sorted(name.split("/", 1)[1] for name in texts if "/" in name))',
      'record = texts[next(name for name in texts if name.endswith("/RECORD"))].decode()',
      'for line in record.splitlines()[:-1]:',
      '    name, digest, size = line.rsplit(",", 2)',
      '    expected = base64.urlsafe_b64encode(hashlib.sha256(texts[name]).digest()).rstrip(b"=")',
      '    assert digest == "sha256=" + expected.decode() and int(size) == len(texts[name]), name',
    ];
    const { code, output } = await runPython(python, ['-W', 'error', '-c', program.join('\n')], {});
    assert.equal(code, 0, output);
    assert.deepEqual(output.split('\n'), [
      "['__editable__.pizarra_client.pth'] True",
      "['METADATA', 'RECORD', 'WHEEL', 'licenses/LICENSE']",
      '',
    ]);
  },
);

/** What a program that reads a stream prints. */
interface Printed {
  readonly state?: string;
  readonly resumed?: boolean;
  readonly missing?: readonly string[];
  readonly ending?: string | null;
  readonly error?: string | null;
  readonly id?: string;
  readonly data?: { readonly especie: string; readonly ultimo: number };
  readonly raised?: string;
  readonly status?: number;
}

/** A Python program that reads a stream through a line that can fail. */
async function streaming(
  mode: string,
  parts: Parameters<typeof startTestServer>[0],
  query: Readonly<Record<string, unknown>>,
): Promise<
  AsyncDisposable & {
    readonly server: TestServer;
    readonly line: Awaited<ReturnType<typeof startLineProxy>>;
    next(): Promise<Printed>;
  }
> {
  await using cleanUp = new AsyncDisposableStack();
  const server = cleanUp.use(await startTestServer(parts));
  const line = cleanUp.use(await startLineProxy(server.port));
  const env = { PIZARRA_URL: `http://127.0.0.1:${line.port}`, PIZARRA_KEY: server.key };
  const all = JSON.stringify({ wait_max: 0.05, ...query });
  const child = startPython(python, ['-m', 'tests.print_stream', mode, all], env);
  cleanUp.defer(async () => {
    const closed = child.exitCode === null ? once(child, 'close') : undefined;
    child.kill('SIGKILL');
    await closed;
  });
  child.stderr.pipe(process.stderr);
  const lines = createInterface(child.stdout)[Symbol.asyncIterator]();
  const running = cleanUp.move();
  return {
    server,
    line,
    next: async () => {
      const { value, done } = await within('a line of the program', lines.next());
      assert.ok(done !== true, 'the program has ended');
      return JSON.parse(value) as Printed;
    },
    [Symbol.asyncDispose]: () => running.disposeAsync(),
  };
}

const textOf = ({ id, data }: Printed): string => `${id} ${data?.especie} ${data?.ultimo}`;

for (const mode of ['sync', 'async']) {
  test(
    `a ${mode} stream that is cut continues after the last quote: none is missed, none comes twice`,
    options,
    async () => {
      const query = { especie: ['GGAL', 'AL30', 'NOEXISTE'] };
      await using program = await streaming(mode, {}, query);
      const { server, line } = program;
      const opened = await program.next();
      assert.deepEqual(
        { ...opened },
        { state: 'open', resumed: false, missing: ['NOEXISTE'], ending: null, error: null },
      );
      await program.next();
      await program.next();
      server.board.adopt([sampleQuote('GGAL', 201, 7500)]);
      assert.equal(textOf(await program.next()), '201 GGAL 7500');
      line.cut();
      server.board.adopt([sampleQuote('AL30', 202, 90_000), sampleQuote('GGAL', 203, 7501)]);
      assert.equal((await program.next()).error, 'PizarraConnectionError');
      assert.equal((await program.next()).resumed, true);
      assert.equal(textOf(await program.next()), '202 AL30 90000');
      assert.equal(textOf(await program.next()), '203 GGAL 7501');
      assert.equal(line.connections, 2);
    },
  );

  test(
    `a ${mode} connection without a byte for twice the heartbeat is dropped and resumed, and a revoked key ends it`,
    options,
    async () => {
      const streamLimits = { heartbeatMs: 20, sweepMs: 5 };
      const query = { especie: 'GGAL', heartbeat: 0.3 };
      await using program = await streaming(mode, { streamLimits }, query);
      const { server, line } = program;
      await program.next();
      await program.next();
      line.hold();
      server.board.adopt([sampleQuote('GGAL', 201, 7500)]);
      assert.equal((await program.next()).state, 'lost');
      assert.equal((await program.next()).resumed, true);
      assert.equal(textOf(await program.next()), '201 GGAL 7500');
      await server.revoke(server.key);
      assert.equal((await program.next()).ending, 'clave');
      assert.deepEqual(await program.next(), { raised: 'PizarraHttpError', status: 401 });
    },
  );
}
