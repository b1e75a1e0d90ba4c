import * as v from '@badrap/valita';
import type { FeedType } from '../contract/feed-type.ts';
import { commonFields } from '../contract/fields.ts';

const schema = v.object(commonFields('push', { staleAfterSeconds: 300 }));

/** The operator's own source, which posts to the private listener. The service only watches it. */
export const pushType: FeedType<v.Infer<typeof schema>> = {
  type: 'push',
  schema,
  mustBeSingle: 'all keys push to the same one',
};
