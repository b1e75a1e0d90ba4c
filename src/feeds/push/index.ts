import * as v from '@badrap/valita';
import type { FeedType } from '../feed-type.ts';
import { commonFields } from '../fields.ts';

const schema = v.object(commonFields('push', { staleAfterSeconds: 300 }));

/** The operator's own source, which posts to the private listener. The service only watches it. */
export const pushType: FeedType<v.Infer<typeof schema>> = {
  type: 'push',
  schema,
  mustBeSingle: 'all keys push to the same one',
};
