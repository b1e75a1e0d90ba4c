import type { Board } from '../../board/board.ts';
import { problemAnswer } from '../../wire/error-texts.ts';
import { listText } from '../../wire/list-body.ts';
import { parseListParams } from '../../wire/list-params.ts';
import { sendError } from '../answer.ts';
import type { PublicRoute } from '../public-route.ts';
import { queryOf } from '../request-target.ts';

/** The list of instruments (specification 4.3, decisions row 16). */
export function especiesTxtRoute({ board }: { readonly board: Board }): PublicRoute {
  return {
    path: '/especies.txt',
    handle: (request, reply) => {
      const panel = parseListParams(queryOf(request.raw.url ?? ''));
      if (!panel.ok) return sendError(reply, problemAnswer(panel.problem));
      const { instruments, panels } = board.universe;
      const listed = panel.value === undefined ? instruments : (panels.get(panel.value) ?? []);
      return reply.header('content-type', 'text/plain; charset=utf-8').send(listText(listed));
    },
  };
}
