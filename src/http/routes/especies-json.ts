import type { Board } from '../../board/board.ts';
import type { Instrument } from '../../domain/instrument.ts';
import { problemAnswer } from '../../wire/error-texts.ts';
import { instrumentListJson } from '../../wire/instrument-list-body.ts';
import { parseListParams } from '../../wire/list-params.ts';
import { jsonType, sendError } from '../answer.ts';
import { Body } from '../body.ts';
import type { PublicRoute } from '../public-route.ts';
import { queryOf } from '../request-target.ts';
import { sendBody } from '../send-body.ts';

/** Lists live as long as their universe and never change, and so do their bodies. */
const bodies = new WeakMap<readonly Instrument[], Body>();

/** What the universe says of its instruments: the list of `/especies.txt`, as data. */
export function especiesJsonRoute({ board }: { readonly board: Board }): PublicRoute {
  return {
    path: '/especies.json',
    handle: (request, reply) => {
      const panel = parseListParams(queryOf(request.raw.url ?? ''));
      if (!panel.ok) return sendError(reply, problemAnswer(panel.problem));
      const { instruments, panels } = board.universe;
      const listed = panel.value === undefined ? instruments : (panels.get(panel.value) ?? []);
      return sendBody(request, reply, { body: bodyOf(listed), headers: [] });
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
