import assert from 'node:assert/strict';
import { test } from 'node:test';

import { sampleUniverse } from '../../../test/support/market/sample-market.ts';
import { openbbSources } from './sources.ts';

const caller = { key: undefined, departure: undefined };

test('each path has the same content at every request, whatever the query', async () => {
  const sources = openbbSources(sampleUniverse);
  assert.deepEqual(
    sources.map(({ path }) => path),
    ['/widgets.json', '/apps.json', '/widgets/especies.json'],
  );
  for (const source of sources) {
    const first = await source.find('', caller);
    assert.ok(first.ok, source.path);
    assert.equal(await source.find('a=b', caller), first, source.path);
  }
});

test('the options of each panel are rendered once, and an unknown panel is refused', async () => {
  const options = openbbSources(sampleUniverse)[2] ?? assert.fail();
  const leading = await options.find('panel=LID', caller);
  assert.ok(leading.ok);
  assert.equal(await options.find('panel=LID&x=1', caller), leading);
  assert.notEqual(await options.find('panel=GEN', caller), leading);
  assert.notEqual(await options.find('', caller), leading);
  const refused = await options.find('panel=lid', caller);
  assert.equal(!refused.ok && refused.problem.type, 'panel-unknown');
});
