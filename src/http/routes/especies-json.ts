import type { Board } from '../../board/board.ts';
import type { Instrument } from '../../domain/instrument.ts';
import { instrumentListJson } from '../../wire/instrument-list-body.ts';
import { parseListParams } from '../../wire/list-params.ts';
import { jsonType } from '../answer.ts';
import { Body } from '../body.ts';
import type { ContentSource } from '../content.ts';

/** Lists live as long as their universe and never change, and so do their bodies. */
const bodies = new WeakMap<readonly Instrument[], Body>();

/** What the universe says of its instruments: the list of `/especies.txt`, as data. */
export function especiesJson({ board }: { readonly board: Board }): ContentSource {
  return {
    path: '/especies.json',
    find: (rawQuery) => {
      const panel = parseListParams(rawQuery);
      if (!panel.ok) return panel;
      const { instruments, panels } = board.universe;
      const listed = panel.value === undefined ? instruments : (panels.get(panel.value) ?? []);
      return { ok: true, value: { body: bodyOf(listed), headers: [] } };
    },
  };
}

function bodyOf(listed: readonly Instrument[]): Body {
  const known = bodies.get(listed);
  if (known !== undefined) return known;
  const parts = [Buffer.from(instrumentListJson(listed))];
  const body = new Body({ type: jsonType, parts, mayCompress: () => true });
  bodies.set(listed, body);
  return body;
}
