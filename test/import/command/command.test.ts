import assert from 'node:assert/strict';
import { execFile, spawn } from 'node:child_process';
import { mkdtemp, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';
import { launcher } from '../../support/program/launcher.ts';
import { storeInArgs } from '../../support/program/test-store.ts';
import { once, processMsMax } from '../../support/wait.ts';

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
  const args = [file, '--store', join(directory, 'data'), '--suffix', ''];
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
  const { code, stderr } = await pizarra(['-', '--ticker', 'GGAL', '--store', directory], stdin);
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
  const args = [file, '--store', join(directory, 'data'), '--rejects', rejects];
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
  const args = [directory, '--store', data, '--ticker', 'GGAL', '--rejects', rejects];
  const { code, stdout, stderr } = await pizarra(args);
  assert.equal(code, 1);
  // oxlint-disable-next-line no-control-regex
  assert.doesNotMatch(stdout + stderr, /[\u0000-\u0009\u000b-\u001f\u0080-\u009f\u202e]/);
  assert.match(stderr, /^rejected {2}\S+\\u001b\[31m\\u202egnp\.csv \(generic\) GGAL: read 1/m);
  assert.match(stdout, /Files: 0 imported, 1 refused, 1 without an accepted row, 1 left out\.\n/);
  const lines = stderr.trimEnd().split('\n');
  assert.deepEqual(
    lines.map((line) => line.slice(0, 8)),
    ['rejected', 'left out', 'refused '],
  );
  assert.match(lines[2] ?? '', /first row "\\u001b\]0;x\\u0007,\\u000aimported {2}y\.csv"$/);
  const [, rejected = ''] = (await readFile(rejects, 'utf8')).split('\n');
  assert.ok(rejected.endsWith(`"2024-01-06,-1.5,""'=HYPERLINK(""""http://x"""")"""`), rejected);
});

test('exit code 1 when no row of any file is accepted or already known, and 0 when one is', async (t) => {
  const directory = await folder(t);
  await writeFile(join(directory, 'GGAL.BA.csv'), 'fecha,cierre\n2024-01-02,x\n2024-01-06,900\n');
  const data = join(await folder(t), 'data');
  const none = await pizarra([directory, '--store', data]);
  assert.equal(none.code, 1);
  assert.match(none.stderr, /^rejected {2}.*GGAL\.BA\.csv \(generic\) GGAL: read 2, added 0/);
  assert.match(none.stdout, /Files: 0 imported, 0 refused, 1 without an accepted row\.\n/);
  await writeFile(join(directory, 'ALUA.BA.csv'), 'fecha,cierre\n2024-01-02,900\n');
  for (const _ of ['added', 'already known']) {
    const { code } = await pizarra([directory, '--store', data]);
    assert.equal(code, 0);
  }
});

test('exit code 1 when files are only left out', async (t) => {
  const directory = await folder(t);
  await symlink('x', join(directory, 'x.csv'));
  const { code, stdout } = await pizarra([directory, '--store', join(directory, 'data')]);
  assert.equal(code, 1);
  assert.match(stdout, /Files: 0 imported, 0 refused, 1 left out\./);
});

/** Interrupts an import when it has printed a text. A file without an end waits for more rows. */
async function interrupt(
  args: readonly string[],
  { after, input }: { after: string; input: string },
) {
  const child = spawn(process.execPath, [launcher, 'import', ...storeInArgs(args)]);
  child.stdin.write(input);
  let stdout = '';
  let stderr = '';
  child.stderr.on('data', (chunk) => (stderr += String(chunk)));
  child.stdout.on('data', (chunk) => {
    if (stdout.includes(after)) return;
    stdout += String(chunk);
    if (stdout.includes(after)) child.kill('SIGINT');
  });
  const [code, signal] = (await once(child, 'close', { withinMs: processMsMax })) as [
    number | null,
    string | null,
  ];
  return { code, signal, stdout, stderr };
}

test('Ctrl-C ends an import by its signal, and says which files are stored and that the one under way is not', async (t) => {
  const directory = await folder(t);
  const file = join(directory, 'GGAL.BA.csv');
  await writeFile(file, 'fecha,cierre\n2024-01-02,900\n');
  const data = join(directory, 'data');
  const args = [file, '-', '--ticker', 'GGAL', '--store', data];
  const input = 'fecha,cierre\n2024-01-03,910\n';
  const ended = await interrupt(args, { after: 'imported', input });
  assert.deepEqual([ended.code, ended.signal], [null, 'SIGINT']);
  assert.equal(
    ended.stderr,
    'Interrupted. Nothing of the file under way was stored; the 1 file before it is stored. To continue, run the same command again.\n',
  );
  const again = await pizarra([...args, '--verbose'], input);
  assert.match(again.stdout, /By instrument:\n {2}GGAL: read 2, added 1, changed 0, same 1/);
  const trial = await interrupt([...args, '--dry-run'], { after: 'GGAL: read 1', input });
  assert.match(trial.stderr, /Interrupted\. Nothing was stored\.\n$/);
});

test('exit code 2 for a usage error', async () => {
  for (const args of [[], ['x.csv', '--decimal', 'x'], ['x.csv', '--date-format', 'D/M/Y']]) {
    const { code, stderr } = await pizarra(args);
    assert.equal(code, 2, stderr);
  }
});

test('--actions records dividends and splits, and the report names those that it leaves out', async (t) => {
  const directory = await folder(t);
  const file = join(directory, 'AAPL_US.csv');
  const rows = ['2020-08-07,111.11,0.205,', '2020-08-28,124.81,abc,', '2020-08-31,129.04,,4:1'];
  const last = '2020-11-06,118.69,0.205,';
  await writeFile(file, ['Date,Close,Dividend,Split Ratio', ...rows, last, ''].join('\n'));
  const args = [file, '--store', join(directory, 'data')];
  const named = await pizarra(args);
  assert.match(
    named.stdout,
    /; dividends and splits not read: Dividend, Split Ratio \(--actions records them\)\n/,
  );
  const counts = 'corporate actions: added 1, same 0, rejected 1, left out 2';
  const dryRun = await pizarra([...args, '--actions', '--dry-run']);
  const recorded = await pizarra([...args, '--actions']);
  for (const { code, stdout, stderr } of [dryRun, recorded]) {
    assert.deepEqual([code, stderr], [0, '']);
    assert.ok(stdout.includes(counts), stdout);
    assert.match(stdout, /adjust them twice:\n {2}AAPL_US 2020-08-31: split, 4 new for 1 old/);
    assert.match(stdout, /as paid:\n {2}AAPL_US 2020-08-07: cash-dividend, 0.205 USD\n/);
    assert.match(stdout, / {2}1: the dividend of the row is not an amount/);
  }
  const again = await pizarra([...args, '--actions']);
  assert.ok(again.stdout.includes('corporate actions: added 0, same 1, rejected 1, left out 2'));
});
