import type { Board } from '../../board/board.ts';
import { instrumentListJson } from '../../wire/instrument-list-body.ts';
import type { ContentSource } from '../content/content.ts';
import { jsonType } from '../exchange/answer.ts';
import { instrumentList } from './instrument-list.ts';

/** The instruments of `/especies.txt` with their properties (contract 4.4.2). */
export function especiesJson({ board }: { readonly board: Board }): ContentSource {
  return instrumentList({
    board,
    path: '/especies.json',
    type: jsonType,
    render: instrumentListJson,
    showsSources: true,
  });
}
