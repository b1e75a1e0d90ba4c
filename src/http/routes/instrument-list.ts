import type { Board } from '../../board/board.ts';
import type { Instrument } from '../../domain/instrument.ts';
import { parseListParams } from '../../wire/list-params.ts';
import { Body } from '../body.ts';
import type { ContentSource } from '../content.ts';

/** The instruments of the universe, or of one of its panels, in one representation. */
export function instrumentList({
  board,
  path,
  type,
  render,
}: {
  readonly board: Board;
  readonly path: string;
  /** The media type of what `render` gives. */
  readonly type: string;
  readonly render: (instruments: readonly Instrument[]) => string;
}): ContentSource {
  /** Lists live as long as their universe and never change, and so do their bodies. */
  const bodies = new WeakMap<readonly Instrument[], Body>();
  const bodyOf = (listed: readonly Instrument[]): Body => {
    const known = bodies.get(listed);
    if (known !== undefined) return known;
    const parts = [Buffer.from(render(listed))];
    const body = new Body({ type, parts, mayCompress: () => true });
    bodies.set(listed, body);
    return body;
  };
  return {
    path,
    find: (rawQuery) => {
      const panel = parseListParams(rawQuery);
      if (!panel.ok) return panel;
      const { instruments, panels } = board.universe;
      const listed = panel.value === undefined ? instruments : (panels.get(panel.value) ?? []);
      return { ok: true, value: { body: bodyOf(listed), headers: [] } };
    },
  };
}
