import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import type { TestContext } from 'node:test';
import { launcher } from '../support/launcher.ts';
import { storeInArgs } from '../support/test-store.ts';

async function folder(t: TestContext): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), 'pizarra-command-'));
  t.after(() => rm(directory, { recursive: true }));
  return directory;
}

interface Ended {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

function pizarra(args: readonly string[], stdin = ''): Promise<Ended> {
  return new Promise((done) => {
    const child = execFile(
      process.execPath,
      [launcher, 'import', ...storeInArgs(args)],
      (_, stdout, stderr) => done({ code: child.exitCode ?? -1, stdout, stderr }),
    );
    child.stdin?.end(stdin);
  });
}

test('exit code 0 when all files are imported, with one plain line per file and a summary without a terminal', async (t) => {
  const directory = await folder(t);
  const file = join(directory, 'GGAL - Cotizaciones historicas.csv');
  await writeFile(file, 'fecha,cierre\n2024-01-02,900\n2024-01-03,910\n');
  const args = [file, '--data', join(directory, 'data'), '--suffix', ''];
  const first = await pizarra(args);
  assert.deepEqual([first.code, first.stderr], [0, '']);
  assert.match(first.stdout, /^imported {2}.*GGAL.*\(generic\) GGAL: read 2, added 2/);
  assert.match(
    first.stdout,
    /Closes: read 2, added 2, changed 0, same 0, rejected 0, suspicious 0\.\n$/,
  );
  const second = await pizarra([...args, '--verbose']);
  assert.match(second.stdout, /By instrument:\n {2}GGAL: read 2, added 0, changed 0, same 2/);
});

test('exit code 1 when a file is refused, with the reason on standard error', async (t) => {
  const directory = await folder(t);
  const stdin = 'fecha,cierre\n01/02/2024,900\n';
  const { code, stderr } = await pizarra(['-', '--ticker', 'GGAL', '--data', directory], stdin);
  assert.equal(code, 1);
  assert.match(
    stderr,
    /^refused {3}standard input: "01\/02\/2024" is a date as DD\/MM\/YYYY and as MM/,
  );
});

test('rejected rows are written to a file that only its owner can read, with file, line, instrument, reason and row', async (t) => {
  const directory = await folder(t);
  const file = join(directory, 'GGAL.BA.csv');
  const rejects = join(directory, 'rejects.csv');
  await writeFile(file, 'fecha,cierre,volumen\n2024-01-02,900,1\n2024-01-06,910,"1,000"\n');
  const args = [file, '--data', join(directory, 'data'), '--rejects', rejects];
  const { code, stdout } = await pizarra(args);
  assert.equal(code, 0);
  assert.ok(stdout.includes(`Rejected rows, in ${rejects}:\n  1: a weekend or a holiday`), stdout);
  assert.equal(
    await readFile(rejects, 'utf8'),
    `file,line,instrument,reason,row\n${file},3,GGAL,a weekend or a holiday of the market,"2024-01-06,910,""1,000"""\n`,
  );
  assert.equal((await stat(rejects)).mode & 0o777, 0o600);
});

test("a file's name and content are escaped for the terminal and for spreadsheets", async (t) => {
  const directory = await folder(t);
  const file = join(directory, '\u001b[31m\u202egnp.csv');
  const rejects = join(directory, 'rejects.csv');
  await writeFile(file, 'fecha,cierre,nota\n2024-01-06,-1.5,"=HYPERLINK(""http://x"")"\n');
  await symlink('\u009bout', join(directory, 'link\n.csv'));
  await writeFile(join(directory, 'x.csv'), '"\u001b]0;x\u0007","\nimported  y.csv"\n1,2\n');
  const data = join(directory, 'data');
  const args = [directory, '--data', data, '--ticker', 'GGAL', '--rejects', rejects];
  const { code, stdout, stderr } = await pizarra(args);
  assert.equal(code, 1);
  // oxlint-disable-next-line no-control-regex
  assert.doesNotMatch(stdout + stderr, /[\u0000-\u0009\u000b-\u001f\u0080-\u009f\u202e]/);
  assert.match(stdout, /^imported {2}\S+\\u001b\[31m\\u202egnp\.csv \(generic\) GGAL: read 1/);
  assert.match(stdout, /Files: 1 imported, 1 refused, 1 left out\.\n/);
  const lines = stderr.trimEnd().split('\n');
  assert.deepEqual(
    lines.map((line) => line.slice(0, 8)),
    ['left out', 'refused '],
  );
  assert.match(lines[1] ?? '', /first row "\\u001b\]0;x\\u0007,\\u000aimported {2}y\.csv"$/);
  const [, rejected = ''] = (await readFile(rejects, 'utf8')).split('\n');
  assert.ok(rejected.endsWith(`"2024-01-06,-1.5,""'=HYPERLINK(""""http://x"""")"""`), rejected);
});

test('exit code 0 when files are only left out', async (t) => {
  const directory = await folder(t);
  await symlink('x', join(directory, 'x.csv'));
  const { code, stdout } = await pizarra([directory, '--data', join(directory, 'data')]);
  assert.equal(code, 0);
  assert.match(stdout, /Files: 0 imported, 0 refused, 1 left out\./);
});

test('exit code 2 for a usage error', async () => {
  for (const args of [[], ['x.csv', '--decimal', 'x'], ['x.csv', '--date-format', 'D/M/Y']]) {
    const { code, stderr } = await pizarra(args);
    assert.equal(code, 2, stderr);
  }
});
