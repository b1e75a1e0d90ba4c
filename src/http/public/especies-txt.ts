import type { Instrument } from '../../domain/instruments/instrument.ts';
import type { Universe } from '../../domain/instruments/universe.ts';
import { listText } from '../../wire/bodies/list-body.ts';
import { listParameters, parseListParams } from '../../wire/params/list-params.ts';
import { Body } from '../content/body.ts';
import type { ContentSource } from '../content/content.ts';
import { Fields } from '../handler/fields.ts';

const type = 'text/plain; charset=utf-8';

/** The list of instruments (contract 4.3). */
export function especiesTxt(universe: Universe): ContentSource {
  /** A list never changes: its body lives as long as the list. */
  const bodies = new WeakMap<readonly Instrument[], Body>();
  return {
    path: '/especies.txt',
    parameters: listParameters,
    find: (rawQuery) => {
      const panel = parseListParams(rawQuery);
      if (!panel.ok) return panel;
      const listed = universe.listOf(panel.value);
      const body = bodies.getOrInsertComputed(
        listed,
        () => new Body({ type, parts: [Buffer.from(listText(listed))], mayCompress: () => true }),
      );
      return { ok: true, value: { body, fields: Fields.none } };
    },
  };
}
