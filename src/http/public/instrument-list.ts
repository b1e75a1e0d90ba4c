import type { Board } from '../../board/board.ts';
import type { Instrument } from '../../domain/instrument.ts';
import type { QuoteSource } from '../../domain/quote.ts';
import { noExtras } from '../../domain/quote-extra.ts';
import { parseListParams } from '../../wire/list-params.ts';
import { Body } from '../content/body.ts';
import type { Content, ContentSource } from '../content/content.ts';
import { Fields } from '../exchange/fields.ts';

/** The sources in use of the instruments of a list, in its order. */
type Sources = readonly (QuoteSource | undefined)[];

/** A rendered list. Its content is valid while the instruments have these sources. */
interface Rendered {
  readonly content: Content;
  readonly sources: Sources;
  /** The revision of the board at which the sources were last compared. */
  comparedAt: number;
}

/** The instruments of the universe, or of one of its panels, in one representation. */
export function instrumentList({
  board,
  path,
  type,
  render,
  showsSources = false,
}: {
  readonly board: Board;
  readonly path: string;
  /** The media type of the rendered text. */
  readonly type: string;
  readonly render: (instruments: readonly Instrument[], sources: Sources) => string;
  /** Whether the text contains the sources in use. Otherwise it never changes. */
  readonly showsSources?: boolean;
}): ContentSource {
  /** A list of instruments lives as long as its universe, and so does its content. */
  const contents = new WeakMap<readonly Instrument[], Rendered>();
  const contentOf = (listed: readonly Instrument[]): Content => {
    const known = contents.get(listed);
    const latest = board.latestFor(noExtras);
    const comparedAt = latest.revision;
    if (known?.comparedAt === comparedAt) return known.content;
    const sources = showsSources ? listed.map((one) => latest.quote(one)?.source) : [];
    if (known !== undefined && areSame(known.sources, sources)) {
      known.comparedAt = comparedAt;
      return known.content;
    }
    const parts = [Buffer.from(render(listed, sources))];
    const body = new Body({ type, parts, mayCompress: () => true });
    const content = { body, fields: Fields.none };
    contents.set(listed, { content, sources, comparedAt });
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

function areSame(a: Sources, b: Sources): boolean {
  return a.every((source, index) => {
    const other = b[index];
    return source?.name === other?.name && source?.delayMinutes === other?.delayMinutes;
  });
}
