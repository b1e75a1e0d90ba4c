import * as v from '@badrap/valita';
import {
  booleanField,
  commonFields,
  integerField,
  optional,
  numberField,
} from '../contract/fields.ts';

/** The maximum number of updates a second that the simulation generates. */
const updatesPerSecondMax = 10_000;

export const simulatedSchema = v.object({
  ...commonFields('simulated', { staleAfterSeconds: 60 }),
  seed: optional(integerField({ min: 0, max: 0xff_ff_ff_ff }), 1),
  /** Over the whole universe. */
  updatesPerSecond: optional(numberField({ min: 0.1, max: updatesPerSecondMax }), 50),
  /** Whether all markets are open all day, every day. */
  alwaysOpen: optional(booleanField(), false),
});

/** A simulated market. */
export type SimulatedConfig = v.Infer<typeof simulatedSchema>;
