import type { FeedType } from '../contract/feed-type.ts';
import { filesOf } from '../contract/secrets.ts';
import { followOrigin } from './follow-origin.ts';
import { createOriginHistory, createOriginIndices } from './origin-history.ts';
import { pizarraSchema, type PizarraConfig } from './pizarra-config.ts';

/** Another Pizarra, which this one follows. */
export const pizarraType: FeedType<PizarraConfig> = {
  type: 'pizarra',
  schema: pizarraSchema,
  create: followOrigin,
  createHistory: createOriginHistory,
  createIndices: createOriginIndices,
  files: ({ key }) => filesOf(key),
};
