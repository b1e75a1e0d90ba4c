import type { JsonSchema } from '../lib/text/json-schema.ts';
import { derivedSchema } from './read-derived.ts';
import { marketsSchema } from './read-markets.ts';
import { panelsSchema } from './read-panels.ts';

/** The JSON Schemas of the YAML files of a universe, by the name of the file. */
export const universeSchemas: Readonly<Record<string, JsonSchema>> = {
  'markets.yaml': { title: 'Markets of a universe of Pizarra', ...marketsSchema },
  'panels.yaml': { title: 'Panels of a universe of Pizarra', ...panelsSchema },
  'derived.yaml': { title: 'Derived instruments of a universe of Pizarra', ...derivedSchema },
};
