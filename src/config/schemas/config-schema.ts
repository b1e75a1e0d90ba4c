import * as v from '@badrap/valita';
import type { FeedType } from '../../feeds/contract/feed-type.ts';
import { schemaOfField } from '../../feeds/contract/fields.ts';
import type { JsonSchema } from '../../lib/text/json-schema.ts';
import { settingNames, settingOf, type SettingName } from '../settings/settings.ts';
import { feedTypes } from '../feeds/feed-types.ts';

/** The draft that editors and validators understand best. */
export const schemaDraft = 'http://json-schema.org/draft-07/schema#';

/**
 * The JSON Schema of the configuration file, from the table of settings and the schemas of the feeds. It
 * refuses nothing that the program accepts. The program refuses more: what depends on the universe, on files
 * or on several feeds.
 */
export function configSchema(): JsonSchema {
  return {
    $schema: schemaDraft,
    title: 'Configuration file of Pizarra (pizarra.yaml)',
    type: ['object', 'null'],
    properties: {
      ...Object.fromEntries(settingNames.map((name) => [name, settingSchema(name)])),
      feeds: feedsSchema(),
    },
    additionalProperties: false,
  };
}

function settingSchema(name: SettingName): JsonSchema {
  const { description, fallback, kind } = settingOf(name);
  // The default of a directory may be a path of this machine.
  const isShown = fallback !== '' && fallback !== '{}' && !fallback.startsWith('/');
  return {
    description,
    ...(isShown ? { default: /^\d+$/.test(fallback) ? Number(fallback) : fallback } : {}),
    ...orNull(kind.schema),
  };
}

/** A key without a value is as if it were absent. */
function orNull(schema: JsonSchema): JsonSchema {
  const choices = Array.isArray(schema['anyOf']) ? (schema['anyOf'] as JsonSchema[]) : [schema];
  return { anyOf: [...choices, { type: 'null' }] };
}

function feedsSchema(): JsonSchema {
  const types = feedTypes.map(({ type }) => type);
  return {
    description: 'The feeds, in the order in which they are preferred (docs/sources.md).',
    type: ['array', 'null'],
    items: {
      type: 'object',
      required: ['type'],
      properties: { type: { enum: types } },
      // One condition for each type, so that an editor names the fault of the type that is written.
      allOf: feedTypes.map((type) => ({
        if: { properties: { type: { const: type.type } } },
        // A keyword of JSON Schema.
        // oxlint-disable-next-line unicorn/no-thenable
        then: feedSchema(type),
      })),
    },
    allOf: feedTypes
      .filter(({ mustBeAlone }) => mustBeAlone !== undefined)
      .map(({ type }) => ({
        if: { contains: { properties: { type: { const: type } }, required: ['type'] } },
        // oxlint-disable-next-line unicorn/no-thenable
        then: { maxItems: 1 },
      })),
  };
}

function feedSchema({ schema }: FeedType): JsonSchema {
  const fields = Object.entries(schema.shape);
  const required = fields.filter(([, field]) => isRequired(field)).map(([name]) => name);
  return {
    properties: Object.fromEntries(
      fields.map(([name, field]) => [
        name,
        required.includes(name) ? schemaOfField(field) : optionalSchema(field),
      ]),
    ),
    required,
    additionalProperties: false,
  };
}

function optionalSchema(field: v.Type | v.Optional): JsonSchema {
  const read = v.object({ field }).try({});
  const value: unknown = read.ok ? read.value.field : undefined;
  return {
    ...(value === undefined || value === '' ? {} : { default: value }),
    ...orNull(schemaOfField(field)),
  };
}

function isRequired(field: v.Type | v.Optional): boolean {
  return !v.object({ field }).try({}).ok;
}
