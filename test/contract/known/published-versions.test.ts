import assert from 'node:assert/strict';
import { test } from 'node:test';

import * as fc from 'fast-check';

import type { EpochDay } from '../../../src/domain/calendar/plain-date.ts';
import type { CorporateAction } from '../../../src/domain/history/corporate-action.ts';
import { CorporateActions } from '../../../src/domain/history/corporate-actions.ts';
import type { Ticker } from '../../../src/domain/instruments/ticker.ts';
import { publishedVersions } from '../../store/published-versions.ts';
import { clockAt } from '../../support/market/clock-at.ts';
import { startTestServer } from '../../support/http/start-test-server.ts';
import { fieldsIn } from '../../support/fields-in.ts';

const ticker = 'NUEVA' as Ticker;

const queries = [
  '/historicos?campos=apertura,maximo,minimo',
  '/historicos?ajuste=splits',
  '/historicos?ajuste=total&formato=csv',
  '/historicos?forma=ancha&ajuste=splits',
  '/eventos?',
].map((target) => `${target}&especie=${ticker}&desde=2024-09-01&hasta=2025-03-31`);

/** A split, and what the source said of it afterwards. Null takes it back. */
const splits = fc.array(fc.constantFrom(2, 10, null), { minLength: 1, maxLength: 3 });

test('contract 4.18.1, 4.18.5: of a series that a source published again and again, each response as of an instant is the one of that time', async () => {
  await fc.assert(
    fc.asyncProperty(
      publishedVersions,
      splits,
      fc.integer({ min: 20_000, max: 20_130 }) as unknown as fc.Arbitrary<EpochDay>,
      async (versions, factors, exDay) => {
        // The memory of a store begins with its creation.
        let now = Date.now() + 60_000;
        let actions = new CorporateActions([]);
        await using server = await startTestServer({
          clock: clockAt(() => now),
          actions: () => actions,
        });
        const { history, actions: actionStore } = server.store;

        const given: { readonly at: number; readonly bodies: readonly string[] }[] = [];
        const note = async (at: number): Promise<void> => {
          server.revisions.increase([ticker]);
          const answers = await Promise.all(queries.map((query) => server.get(query)));
          given.push({ at, bodies: answers.map(({ body }) => body) });
        };
        await note(now);

        for (const { closes } of versions) {
          const at = (now += 5);
          const stamp = { origin: 'import', now: () => at } as const;
          await history.transaction((transaction) => transaction.put(ticker, closes), stamp);
          await note(at);
        }
        for (const factor of factors) {
          const at = (now += 5);
          const key = { ticker, exDay, type: 'split' } as const;
          const put: readonly CorporateAction[] =
            factor === null ? [] : [{ ...key, factor, source: 'test' }];
          const remove = factor === null ? [key] : [];
          await actionStore.apply({ put, remove }, { at, origin: 'import' });
          actions = new CorporateActions((await actionStore.readAll()).values);
          await note(at);
        }

        for (const [index, { at, bodies }] of given.entries()) {
          const last = (given[index + 1]?.at ?? at + 1) - 1;
          for (const instant of new Set([at, last])) {
            const known = `&conocido=${new Date(instant).toISOString()}`;
            const answers = await Promise.all(queries.map((query) => server.get(query + known)));
            assert.deepEqual(fieldsIn(answers, 'body'), bodies);
          }
        }
      },
    ),
    { numRuns: Number(process.env['PROPERTY_RUNS'] ?? 6) },
  );
});
