import assert from 'node:assert/strict';
import { test } from 'node:test';
import { resolveSettings } from './resolve-settings.ts';

test('a flag wins over the environment, the environment over the file, the file over the default', () => {
  const file = { name: 'pizarra.yaml', values: { port: 1, host: 'file', logLevel: 'warn' } };
  const environment = { PIZARRA_PORT: '2', PIZARRA_HOST: 'environment' };
  const { port, host, logLevel, basePath } = resolveSettings({
    flags: { port: '3' },
    environment,
    file,
  });
  assert.deepEqual([port, host, logLevel, basePath], [3, 'environment', 'warn', '']);
});

test('every invalid value is listed, with where it was set and what would be valid', () => {
  assert.throws(
    () =>
      resolveSettings({
        flags: { port: '70000' },
        environment: { PIZARRA_LOG_LEVEL: 'loud' },
        file: { name: 'my.yaml', values: { basePath: 'v5', drainMs: [1] } },
      }),
    (fault: Error) => {
      assert.deepEqual(fault.message.split('\n'), [
        '--port cannot be "70000". Valid: a whole number from 0 to 65535.',
        'basePath in my.yaml cannot be "v5". Valid: empty, or segments of letters, digits, dots, dashes and underscores, such as /v5.',
        'drainMs in my.yaml cannot be "[1]". Valid: a whole number from 0 to 600000.',
        'PIZARRA_LOG_LEVEL cannot be "loud". Valid: one of trace, debug, info, warn, error, silent.',
      ]);
      return true;
    },
  );
});

test('a misspelled setting is an error, in the environment and in the file', () => {
  assert.throws(
    () =>
      resolveSettings({
        flags: {},
        environment: { PIZARRA_PROT: '1', HOME: '/' },
        file: { name: 'my.yaml', values: { prot: 1 } },
      }),
    /PIZARRA_PROT is not a setting; .*Did you mean PIZARRA_PORT\?\nprot in my\.yaml is not a setting; .*Did you mean port\?$/,
  );
});

function advertised(value: string): string {
  return resolveSettings({ flags: { advertise: value }, environment: {} }).advertise;
}

test('an advertised address is a URL that other machines can use, without a path', () => {
  assert.equal(advertised('https://Node1.example:443/'), 'https://node1.example');
  assert.equal(advertised('http://[2001:db8::7]:8080'), 'http://[2001:db8::7]:8080');
  assert.equal(advertised(''), '');
  const wrong = ['node1:8080', 'https://a/b', 'https://u@a', 'http://0.0.0.0:1', 'http://[::]:1'];
  for (const value of [...wrong, 'ftp://a', 'http://', 'http://a?b']) {
    assert.throws(() => advertised(value), /--advertise cannot be .*such as https:/, value);
  }
});
