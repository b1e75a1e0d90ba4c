import type { Board } from '../../board/board.ts';
import type { Instrument } from '../../domain/instrument.ts';
import { parseListParams } from '../../wire/list-params.ts';
import { Body } from '../content/body.ts';
import type { Content, ContentSource } from '../content/content.ts';
import { Fields } from '../exchange/fields.ts';

/** The instruments of the universe, or of one of its panels, in one representation. */
export function instrumentList({
  board,
  path,
  type,
  render,
}: {
  readonly board: Board;
  readonly path: string;
  /** The media type of the rendered text. */
  readonly type: string;
  readonly render: (instruments: readonly Instrument[]) => string;
}): ContentSource {
  /** A list never changes and lives as long as its universe, and so does its content. */
  const contents = new WeakMap<readonly Instrument[], Content>();
  const contentOf = (listed: readonly Instrument[]): Content => {
    const known = contents.get(listed);
    if (known !== undefined) return known;
    const parts = [Buffer.from(render(listed))];
    const body = new Body({ type, parts, mayCompress: () => true });
    const content = { body, fields: Fields.none };
    contents.set(listed, content);
    return content;
  };
  return {
    path,
    find: (rawQuery) => {
      const panel = parseListParams(rawQuery);
      if (!panel.ok) return panel;
      const { instruments, panels } = board.universe;
      const listed = panel.value === undefined ? instruments : (panels.get(panel.value) ?? []);
      return { ok: true, value: contentOf(listed) };
    },
  };
}
