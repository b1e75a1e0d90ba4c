import type { Board } from '../../board/board.ts';
import { listText } from '../../wire/list-body.ts';
import type { ContentSource } from '../content/content.ts';
import { instrumentList } from './instrument-list.ts';

/** The list of instruments (contract 4.3). */
export function especiesTxt({ board }: { readonly board: Board }): ContentSource {
  const type = 'text/plain; charset=utf-8';
  return instrumentList({ board, path: '/especies.txt', type, render: listText });
}
