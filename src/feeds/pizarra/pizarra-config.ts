import * as v from '@badrap/valita';
import { commonFields, secretField, streamFields, urlField } from '../contract/fields.ts';

/** An address of the public listener, where it is reached over HTTP. */
const protocols = ['https:', 'http:'];

/** The fields of the configuration. */
export const pizarraSchema = v.object({
  ...commonFields('pizarra', { staleAfterSeconds: 60 }),
  ...streamFields({ url: '', protocols }),
  /** The address of the other Pizarra, with its base path if it has one. There is no public one. */
  url: urlField(protocols),
  /** A key of it with the scope `read`. */
  key: secretField(),
});

/** The configuration of a feed that follows another Pizarra. */
export type PizarraConfig = v.Infer<typeof pizarraSchema>;
