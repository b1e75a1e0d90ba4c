import assert from 'node:assert/strict';
import { test } from 'node:test';

import { FeedFault } from '../../feeds/contract/feed.ts';
import { faultOfStatus, networkFault } from '../../feeds/net/network-fault.ts';
import { faultSummaryOf, type FaultSummary } from './fault-summary.ts';
import { outageOf } from './source-outage.ts';

const url = new URL('https://source.test/path?key=secret');

function summaryOf(fault: unknown): FaultSummary {
  return faultSummaryOf(fault, { redact: (text) => text, retryAt: 0 });
}

/** A source that has failed. */
function failing(name: string, lastFault: FaultSummary | undefined) {
  return { name, phase: 'waiting', lastFault, isPushed: false, isStarting: false } as const;
}

const withCode = (code: string): FaultSummary =>
  summaryOf(networkFault(url, Object.assign(new Error('x'), { code })));
const withStatus = (status: number): FaultSummary =>
  summaryOf(faultOfStatus(url, { status, retryAfter: undefined, now: 0 }));

function shown({ reason, detail }: FaultSummary): string {
  return `${reason} ${detail ?? ''}`.trim();
}

test('a failure has a reason that names neither the source nor its address, and a code', () => {
  const summaries: readonly (readonly [FaultSummary, string])[] = [
    [withCode('ENOTFOUND'), 'name ENOTFOUND'],
    [withCode('EAI_AGAIN'), 'name EAI_AGAIN'],
    [withCode('ECONNREFUSED'), 'connection ECONNREFUSED'],
    [withCode('UND_ERR_CONNECT_TIMEOUT'), 'timeout UND_ERR_CONNECT_TIMEOUT'],
    [withCode('CERT_HAS_EXPIRED'), 'certificate CERT_HAS_EXPIRED'],
    [withStatus(403), 'refused HTTP 403'],
    [withStatus(404), 'request HTTP 404'],
    [withStatus(429), 'limited HTTP 429'],
    [withStatus(503), 'server HTTP 503'],
    [summaryOf(new FeedFault('unintelligible', 'a page')), 'format'],
    [summaryOf(new FeedFault('unavailable', 'closed')), 'connection'],
    [summaryOf(new FeedFault('unavailable', 'slow', { isLate: true })), 'timeout'],
    [summaryOf(new TypeError('x')), 'program'],
  ];
  for (const [summary, expected] of summaries) assert.equal(shown(summary), expected);
});

test('the reason of an outage is the most frequent one, and a source that pushes can end it', () => {
  const [name, refused] = [withCode('ENOTFOUND'), withStatus(403)];
  const outage = outageOf([failing('a', refused), failing('b', name), failing('c', name)]);
  assert.equal(outage?.reason, 'name');
  assert.deepEqual([...(outage?.faults.keys() ?? [])], ['a', 'b', 'c']);
  assert.equal(outageOf([failing('a', refused), failing('b', name)])?.reason, 'refused');
  const pushed = { ...failing('push', undefined), isPushed: true };
  assert.equal(outageOf([failing('a', name), { ...pushed, phase: 'connecting' }])?.reason, 'name');
  assert.equal(outageOf([failing('a', name), { ...pushed, phase: 'connected' }]), undefined);
  // A source that pushes is no part of an outage, whatever it has reported.
  const silent = { ...pushed, phase: 'waiting', lastFault: refused } as const;
  assert.deepEqual([...(outageOf([silent, failing('a', name)])?.faults.keys() ?? [])], ['a']);
  assert.equal(outageOf([]), undefined);
  assert.equal(outageOf([{ ...failing('a', name), phase: 'ended' }]), undefined);
  assert.equal(outageOf([failing('a', undefined)]), undefined);
});
