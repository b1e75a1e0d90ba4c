import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { closeSync, mkdtempSync, openSync, readFileSync, readSync, rmSync } from 'node:fs';
import { constants } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';

import { BoundedOutput } from './bounded-output.ts';
import { once, until } from '../../../test/support/wait.ts';

/** Opens a named pipe, with both ends in non-blocking mode. */
async function makePipe(
  t: TestContext,
): Promise<{ readonly writer: number; read(): string; closeReader(): void }> {
  const directory = mkdtempSync(join(tmpdir(), 'pizarra-pipe-'));
  const path = join(directory, 'pipe');
  const [code] = (await once(spawn('mkfifo', [path]), 'exit')) as [number];
  assert.equal(code, 0);
  const reader = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
  const writer = openSync(path, constants.O_WRONLY | constants.O_NONBLOCK);
  t.after(() => {
    closeSync(writer);
    rmSync(directory, { recursive: true });
  });
  const buffer = Buffer.alloc(2 ** 20);
  return {
    writer,
    read: () => {
      try {
        return buffer.toString('utf8', 0, readSync(reader, buffer));
      } catch {
        return '';
      }
    },
    closeReader: () => closeSync(reader),
  };
}

test('text for a full pipe is queued up to the limit, then dropped and counted', async (t) => {
  const pipe = await makePipe(t);
  const reports: number[] = [];
  const output = new BoundedOutput(pipe.writer, {
    bytesMax: 100_000,
    onDropped: (count) => reports.push(count),
  });
  for (let number = 0; number < 3_000; number += 1) {
    output.write(`${String(number).padStart(99)}\n`);
  }
  const { dropped } = output;
  assert.ok(dropped > 1_000, `dropped ${dropped}`);
  assert.deepEqual(reports, []);
  let text = '';
  await until('the drops are reported', () => {
    text += pipe.read();
    return reports.length > 0;
  });
  text += pipe.read();
  const numbers = text.trim().split('\n').map(Number);
  assert.deepEqual(
    numbers,
    Array.from({ length: 3_000 - dropped }, (_, at) => at),
  );
  assert.deepEqual(reports, [dropped]);
  output.write('after\n');
  assert.equal(pipe.read(), 'after\n');
  assert.deepEqual(reports, [dropped], 'each drop is reported once');
  pipe.closeReader();
});

test('flush resolves when everything is written, or after its time limit', async (t) => {
  const pipe = await makePipe(t);
  const output = new BoundedOutput(pipe.writer, { bytesMax: 2 ** 20, onDropped: () => undefined });
  await output.flush(60_000);
  output.write('x'.repeat(500_000));
  await output.flush(5);
  let isFlushed = false;
  const flushed = output.flush(60_000).then(() => (isFlushed = true));
  await new Promise(setImmediate);
  assert.equal(isFlushed, false);
  const reading = setInterval(() => pipe.read(), 1);
  await flushed;
  clearInterval(reading);
  pipe.closeReader();
});

test('without a reader, text is dropped and the process continues', async (t) => {
  const pipe = await makePipe(t);
  const output = new BoundedOutput(pipe.writer, {
    bytesMax: 1_000,
    onDropped: () => assert.fail('onDropped is not called without a reader'),
  });
  pipe.closeReader();
  output.write('one');
  output.write('two');
  assert.equal(output.dropped, 1);
  await output.flush(60_000);
});

test('a file receives all texts in order', (t) => {
  const directory = mkdtempSync(join(tmpdir(), 'pizarra-file-'));
  const path = join(directory, 'log');
  const fd = openSync(path, 'a');
  t.after(() => rmSync(directory, { recursive: true }));
  const output = new BoundedOutput(fd, { bytesMax: 10, onDropped: () => undefined });
  for (const text of ['one\n', 'two\n', 'three\n']) output.write(text);
  output.end();
  closeSync(fd);
  assert.equal(readFileSync(path, 'utf8'), 'one\ntwo\nthree\n');
});

test('a text that fills the queue up to its limit is written, and one that exceeds it by a byte is dropped', async (t) => {
  const pipe = await makePipe(t);
  const output = new BoundedOutput(pipe.writer, { bytesMax: 10, onDropped: () => {} });
  output.write('12345678901');
  assert.equal(output.dropped, 1);
  output.write('1234567890');
  assert.equal(output.dropped, 1);
  assert.equal(pipe.read(), '1234567890');
  output.write('x');
  assert.equal(pipe.read(), 'x', 'a single byte is written too');
});

test('texts that are larger than the pipe are written in parts, each byte once', async (t) => {
  const pipe = await makePipe(t);
  const output = new BoundedOutput(pipe.writer, { bytesMax: 2 ** 20, onDropped: () => undefined });
  const text = Array.from({ length: 40_000 }, (_, at) => `${at}\n`).join('');
  output.write(text.slice(0, 200_000));
  output.write(text.slice(200_000));
  let read = '';
  await until('all of it is read', () => {
    read += pipe.read();
    return read.length >= text.length;
  });
  await output.flush(60_000);
  assert.ok(read + pipe.read() === text);
  pipe.closeReader();
});

test('the end writes what the pipe takes, without a pause', async (t) => {
  const pipe = await makePipe(t);
  const output = new BoundedOutput(pipe.writer, { bytesMax: 2 ** 20, onDropped: () => undefined });
  output.write('x'.repeat(100_000));
  const before = pipe.read();
  output.end();
  const after = pipe.read();
  assert.deepEqual([before.length + after.length, after.length > 0], [100_000, true]);
  pipe.closeReader();
});
