import type { Board } from '../../board/board.ts';
import { instrumentListJson } from '../../wire/instrument-list-body.ts';
import { jsonType } from '../answer.ts';
import type { ContentSource } from '../content.ts';
import { instrumentList } from './instrument-list.ts';

/** What the universe says of its instruments: the list of `/especies.txt`, as data. */
export function especiesJson({ board }: { readonly board: Board }): ContentSource {
  const render = instrumentListJson;
  return instrumentList({ board, path: '/especies.json', type: jsonType, render });
}
