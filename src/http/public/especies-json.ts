import type { Board } from '../../board/board.ts';
import { parseListParams } from '../../wire/list-params.ts';
import type { TableSource } from '../content/content.ts';
import { InstrumentBodies } from '../content/instrument-bodies.ts';
import { Fields } from '../exchange/fields.ts';

/** The instruments of `/especies.txt` with their properties (contract 4.4.2). */
export function especiesJson({ board }: { readonly board: Board }): TableSource {
  const bodies = new InstrumentBodies(board);
  return {
    path: '/especies.json',
    find: (rawQuery, format) => {
      const panel = parseListParams(rawQuery);
      if (!panel.ok) return panel;
      const body = bodies.of(board.universe.listOf(panel.value), format);
      return { ok: true, value: { body, fields: Fields.none } };
    },
  };
}
