import type { Parsed } from '../../domain/values/problem.ts';
import type { Content, ContentSource } from '../content/content.ts';
import { jsonContent } from '../udf/json-content.ts';

/** A path with one content of JSON, whatever the query. It is rendered when it is first requested. */
export function fixedContent(path: string, render: () => string): ContentSource {
  let rendered: Parsed<Content> | undefined;
  return { path, parameters: [], find: () => (rendered ??= jsonContent(render())) };
}
