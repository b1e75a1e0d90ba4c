import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';

import { readConfig } from '../../config/settings/read-config.ts';
import { resolveConfiguration } from './resolve-configuration.ts';

/** The lines of the fault of a configuration file, without its path. */
async function faultsOf(
  t: TestContext,
  text: string,
  flags: Readonly<Record<string, string>> = {},
): Promise<readonly string[]> {
  const directory = mkdtempSync(join(tmpdir(), 'pizarra-test-'));
  t.after(() => rmSync(directory, { recursive: true }));
  const name = join(directory, 'pizarra.yaml');
  writeFileSync(name, text);
  const file = await readConfig(name);
  if (file === undefined) throw new Error('the file was not read');
  let message = '';
  await assert.rejects(resolveConfiguration({ flags, environment: {}, file }, file), (fault) => {
    ({ message } = fault as Error);
    return true;
  });
  return message.replaceAll(`${directory}/`, '').split('\n');
}

const feeds = `feeds:
  - { name: a, type: dolarapi, pollSecond: 30 }
`;
const pollSecond: readonly string[] = [
  'The feeds in pizarra.yaml have faults:',
  '  pizarra.yaml:4:32: feeds[0].pollSecond is not a known field; the type dolarapi has name,',
];
const see = 'is not a setting; see "pizarra serve --help".';

test('a wrong key has its line and the closest setting, and hides neither a value nor the feeds', async (t) => {
  const faults = await faultsOf(t, `prot: 8080\ndrainMs: late\n${feeds}`);
  assert.deepEqual(faults.slice(0, 3), [
    `pizarra.yaml:1:1: prot ${see} Did you mean port?`,
    'pizarra.yaml:2:10: drainMs cannot be "late". Valid: a whole number from 0 to 600000.',
    pollSecond[0] ?? '',
  ]);
  assert.ok(faults[3]?.startsWith(pollSecond[1] ?? ''));
  assert.equal(faults.length, 4);
});

test('the feeds are checked although the market is wrong, and not against a universe that is', async (t) => {
  const market = await faultsOf(t, `market: brasil\n# none\n${feeds}`);
  assert.match(market.join(), /market cannot be "brasil".*feeds\[0\]\.pollSecond/);
  const universe = await faultsOf(t, `prot: 1\nuniverse: /no/such\n${feeds}`);
  assert.deepEqual(universe, [`pizarra.yaml:1:1: prot ${see} Did you mean port?`]);
  const sound = await faultsOf(t, 'feed: []\nfeeds: []\n');
  assert.deepEqual(sound, [`pizarra.yaml:1:1: feed ${see} Did you mean feeds?`]);
});
