import assert from 'node:assert/strict';
import { resolve } from 'node:path';
import { loadUniverse } from '../../../src/universe/load-universe.ts';

const loaded = await loadUniverse(resolve(import.meta.dirname, '../../../universe'));
assert.ok(loaded.ok);

/** The number of members of the leading panel of the default universe. It changes twice a year. */
export const leaders = loaded.universe.listOf('LID').length;
