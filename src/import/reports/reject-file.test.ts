import assert from 'node:assert/strict';
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { test, type TestContext } from 'node:test';
import type { Reject } from './import-summary.ts';
import { RejectFile } from './reject-file.ts';

const header = 'file,line,instrument,reason,row\n';

/** A path in a folder that does not exist yet. */
function newPath(t: TestContext): string {
  const directory = mkdtempSync(join(tmpdir(), 'pizarra-rejects-'));
  t.after(() => rmSync(directory, { recursive: true }));
  return join(directory, 'a/b/rejects.csv');
}

const future: Reject = {
  file: 'x.csv',
  line: 7,
  instrument: 'GGAL',
  reason: 'future',
  row: ['GGAL', '2099-01-02', '1,5'],
};

test('the file has a header, and a line for each rejected row with its place, its reason and its cells', (t) => {
  const path = newPath(t);
  const omitted: Reject = { ...future, line: 8, reason: 'omitted', detail: 'another term' };
  {
    using rejects = new RejectFile(path);
    assert.equal(rejects.path, path);
    rejects.add(future);
    rejects.add(omitted);
    assert.equal(rejects.count, 2);
  }
  assert.equal(
    readFileSync(path, 'utf8'),
    `${header}x.csv,7,GGAL,the date is in the future,"GGAL,2099-01-02,""1,5"""\n` +
      'x.csv,8,GGAL,another term,"GGAL,2099-01-02,""1,5"""\n',
  );
});

test('only the owner can read the file and the folders that are created for it', (t) => {
  const path = newPath(t);
  {
    using rejects = new RejectFile(path);
    rejects.add(future);
  }
  assert.equal(statSync(path).mode & 0o777, 0o600);
  assert.equal(statSync(dirname(path)).mode & 0o777, 0o700);
  assert.equal(statSync(dirname(dirname(path))).mode & 0o777, 0o700);
});

test('without rejected rows no file and no folder is created', (t) => {
  const path = newPath(t);
  {
    using rejects = new RejectFile(path);
    assert.equal(rejects.count, 0);
  }
  assert.equal(existsSync(dirname(path)), false);
});

test('rows are written before the end as soon as they exceed the buffer, and each of them once', (t) => {
  const path = newPath(t);
  const long: Reject = { ...future, row: ['x'.repeat(1_000)] };
  {
    using rejects = new RejectFile(path);
    for (let at = 0; at < 60; at += 1) rejects.add(long);
    assert.equal(existsSync(path), false);
    for (let at = 60; at < 150; at += 1) rejects.add(long);
    assert.ok(readFileSync(path, 'utf8').startsWith(header));
  }
  const lines = readFileSync(path, 'utf8').trimEnd().split('\n');
  assert.equal(lines.length, 151);
  assert.equal(new Set(lines).size, 2);
});
