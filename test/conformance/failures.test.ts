import assert from 'node:assert/strict';
import { after, test } from 'node:test';

import { RatePlans } from '../../src/auth/rate-plans.ts';
import { RateLimits } from '../../src/http/admission/rate-limits.ts';
import { startTestServer } from '../support/http/start-test-server.ts';
import { startCarriers } from './carriers.ts';

/** Contract 6 and 7, RFC 9110 15.6 and RFC 6585 4: internal failures and rate limits. */

const base = await startTestServer();
const { history } = base.store;
const broken = {
  readSeries: () => Promise.reject(new Error('disk on fire at /var/lib/secret')),
  readBars: history.readBars.bind(history),
  countCloses: history.countCloses.bind(history),
};
const limit = { requests: 2, seconds: 3_600, burst: 2 };
const failing = await startCarriers({ history: broken });
const limited = await startCarriers(() => ({
  rateLimits: new RateLimits({
    plans: new RatePlans({ plans: new Map([['free', limit]]), defaultPlan: 'free' }),
    failures: limit,
  }),
}));
after(async () => {
  for (const one of [failing, limited, base]) await one[Symbol.asyncDispose]();
});

const series = '/historicos?especie=AL30&desde=2024-01-01&hasta=2024-12-31';
const quotes = '/cotizaciones?especie=GGAL';

for (const carrier of failing.all) {
  test(`RFC 9110 15.6.1 and contract 7.1, ${carrier.name}: an internal failure gets 500 without internal details, and the next request gets its response`, async () => {
    const responses = [];
    for (const method of ['GET', 'HEAD', 'GET']) {
      const response = await carrier.send({ method, target: series });
      assert.equal(response.status, 500);
      assert.doesNotMatch(response.body.toString(), /disk|secret|Error/);
      assert.equal(response.header('etag') ?? response.header('last-modified'), undefined);
      responses.push(response);
    }
    assert.equal((await carrier.send({ target: quotes })).status, 200);
    const lines = carrier.server.logged.filter(({ level }) => level === 'error');
    assert.ok(lines.length >= 1 && lines.length <= responses.length);
    assert.match(String(lines[0]?.['err']), /disk on fire/, 'the log has the details');
  });
}

for (const carrier of limited.all) {
  test(`RFC 6585 4 and contract 6, ${carrier.name}: beyond the limit, a key and an address without a key get 429 with Retry-After`, async () => {
    for (const [key, status] of [
      ['valid', 200],
      ['none', 401],
    ] as const) {
      const statuses: number[] = [];
      for (let sent = 0; sent < limit.burst + 1; sent += 1) {
        const response = await carrier.send({ target: quotes, key });
        statuses.push(response.status);
        assert.match(response.header('ratelimit') ?? '', /;r=\d+/);
        assert.match(response.header('ratelimit-policy') ?? '', /;q=2/);
        if (response.status === 429) {
          assert.match(response.header('retry-after') ?? '', /^[1-9]\d*$/);
        }
      }
      assert.deepEqual(statuses, [status, status, 429]);
    }
    const head = await carrier.send({ method: 'HEAD', target: quotes });
    assert.equal(head.status, 429);
  });
}
