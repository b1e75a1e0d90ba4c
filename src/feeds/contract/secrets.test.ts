import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import * as v from '@badrap/valita';
import { temporaryDirectory } from '../../../test/store/temporary-directory.ts';
import { FeedFault } from './feed.ts';
import { secretField } from './fields.ts';
import { filesOf, Secrets } from './secrets.ts';

test('a key comes from an environment variable or a file, without the white space around it', async (t) => {
  const directory = await temporaryDirectory(t);
  await writeFile(join(directory, 'key'), 'from-file-1\n');
  const secrets = new Secrets({ env: { KEY: ' from-env ' }, directory });
  assert.equal(secrets.read({ env: 'KEY' }), 'from-env');
  assert.equal(secrets.read({ file: 'key' }), 'from-file-1');
  await writeFile(join(directory, 'key'), 'from-file-2');
  assert.equal(secrets.read({ file: 'key' }), 'from-file-2', 'a replaced file is read');
});

test('a key that is missing or cannot be sent is refused, and the fault does not contain it', async (t) => {
  const directory = await temporaryDirectory(t);
  await writeFile(join(directory, 'two-lines'), 'part-one\npart-two');
  const env = { EMPTY: ' ', ACCENT: 'contraseña' };
  const secrets = new Secrets({ env, directory });
  for (const reference of [
    { env: 'MISSING' },
    { env: 'EMPTY' },
    { env: 'ACCENT' },
    { file: 'missing' },
    { file: 'two-lines' },
  ]) {
    assert.throws(
      () => secrets.read(reference),
      (fault) => {
        assert.ok(fault instanceof FeedFault && fault.code === 'refused');
        assert.ok(fault.message.includes(Object.values(reference)[0] ?? ''));
        assert.doesNotMatch(`${fault.stack} ${JSON.stringify(fault)}`, /contraseña|part-/);
        return true;
      },
    );
  }
});

test('every key that was read is removed from a text, as it is and in a URL', () => {
  const secrets = new Secrets({ env: { A: 'k/ey=1234', B: 'other-key' }, directory: '.' });
  const text = 'k/ey=1234 in https://x.test/?k=k%2Fey%3D1234 and other-key';
  assert.equal(secrets.redact(text), text, 'a key that was not read is not known');
  secrets.read({ env: 'A' });
  secrets.read({ env: 'B' });
  assert.equal(secrets.redact(text), '[secret] in https://x.test/?k=[secret] and [secret]');
});

test('a key is removed as JSON, JSON within JSON, a URL, HTML and Base64 write it, and where a text was cut', () => {
  const key = String.raw`sk-"a/b\c&<d>'+=$^.*(e)`;
  const secrets = new Secrets({ env: { A: key, SHORT: 'abc' }, directory: '.' });
  secrets.read({ env: 'A' });
  const nested = JSON.stringify(JSON.stringify(JSON.stringify({ key })));
  const html = key.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');
  const texts = [
    JSON.stringify({ key }),
    nested,
    nested.replaceAll('/', String.raw`\\/`),
    encodeURIComponent(key),
    encodeURIComponent(encodeURIComponent(key)),
    encodeURIComponent(key).toLowerCase(),
    html.replaceAll("'", '&#39;'),
    html.replaceAll("'", '&#x27;'),
    Buffer.from(key).toString('base64'),
    `before ${key.slice(0, 6)}…`,
    JSON.stringify(key).slice(0, 12),
    `${encodeURIComponent(key).slice(0, 12)}…`,
    `${html.slice(0, 10)}…`,
  ];
  for (const text of texts) {
    const redacted = secrets.redact(text);
    assert.ok(redacted.includes('[secret]'), text);
    assert.doesNotMatch(redacted, /sk-|c2st|b.*c.*d/, text);
  }
  assert.equal(secrets.redact('the task is done: sk'), 'the task is done: sk');
});

test('a short key is only removed where this is requested', () => {
  const secrets = new Secrets({ env: { SHORT: 'abc' }, directory: '.' });
  secrets.read({ env: 'SHORT' });
  assert.equal(secrets.redact('abcd'), 'abcd');
  assert.equal(secrets.redact('abcd', { short: true }), '[secret]d');
});

test('the configuration names the place of a key, and never holds one', () => {
  const schema = v.object({ key: secretField() });
  assert.deepEqual(schema.parse({ key: { env: 'NAME' } }), { key: { env: 'NAME' } });
  assert.deepEqual(schema.parse({ key: { file: 'a/b' } }), { key: { file: 'a/b' } });
  for (const key of [
    'sk-123',
    { env: '' },
    { env: 1 },
    { value: 'x' },
    {},
    { env: 'A', file: 'b' },
    7,
  ]) {
    const read = schema.try({ key });
    assert.ok(!read.ok, JSON.stringify(key));
    assert.match(JSON.stringify(read.issues), /must be \{ env: NAME \}/);
  }
});

test('the files of references are named, and environment variables and absent references are not', () => {
  assert.deepEqual(filesOf({ file: 'user' }, undefined, { env: 'KEY' }, { file: '/run/secret' }), [
    'user',
    '/run/secret',
  ]);
  assert.deepEqual(filesOf(), []);
});
