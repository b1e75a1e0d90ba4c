import type { Universe } from '../../domain/instruments/universe.ts';
import { configJson } from '../../wire/udf/config-body.ts';
import type { ContentSource } from '../content/content.ts';
import { jsonContent } from './json-content.ts';

/** What the charting library may ask for (contract 4.15.3). */
export function config({ instruments, markets }: Universe): ContentSource {
  const used = new Set(instruments.map(({ market }) => market));
  const content = jsonContent(
    configJson([...markets.values()].filter(({ code }) => used.has(code))),
  );
  return { path: '/udf/config', parameters: [], find: () => content };
}
