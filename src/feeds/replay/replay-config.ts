import * as v from '@badrap/valita';
import { choiceField, commonFields, field, maybe, textListField } from '../contract/fields.ts';

/** Recorded time per real time; `max` plays one record after the other without waiting. */
export type ReplaySpeed = number | 'max';

/** The maximum speed besides `max`: a year in half a minute. */
const speedMax = 1_000_000;

/** The fields of a replay. @param formats the names of the formats that can be read. */
export function replaySchema(formats: readonly string[]) {
  return v.object({
    // Hourly recordings are usual, so two hours pass before a replay is stale.
    ...commonFields('replay', { staleAfterSeconds: 7_200 }),
    files: textListField('must be a list of paths'),
    format: maybe(choiceField(formats), (one) => one.optional(() => 'updates')),
    speed: maybe(speedField(), (one) => one.optional((): ReplaySpeed => 1)),
  });
}

/** A replay of recordings from files. */
export type ReplayConfig = v.Infer<ReturnType<typeof replaySchema>>;

function speedField() {
  return field(
    (value): value is ReplaySpeed =>
      value === 'max' || (typeof value === 'number' && value > 0 && value <= speedMax),
    `must be a number above 0 and up to ${speedMax}, or max`,
    { anyOf: [{ type: 'number', exclusiveMinimum: 0, maximum: speedMax }, { const: 'max' }] },
  );
}
