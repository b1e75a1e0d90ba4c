import type { Clock } from '../../lib/time/clock.ts';
import type { ContentSource } from '../content/content.ts';
import { jsonContent } from './json-content.ts';

/** The time of the service in whole seconds, to which a chart compares that of its browser (contract 4.15.3). */
export function time(clock: Clock): ContentSource {
  return {
    path: '/udf/time',
    parameters: [],
    find: () => jsonContent(String(Math.floor(clock.now() / 1000))),
  };
}
