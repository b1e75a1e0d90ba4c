import type { Board } from '../../board/board.ts';
import { cotizaciones as operation } from '../../contract/paths/cotizaciones.ts';
import { quoteTable } from '../../contract/rows/quote.ts';
import type { InstantTexts } from '../../wire/texts/instant-texts.ts';
import { answers, type Answering } from '../answers/answers.ts';
import type { ContentSource } from '../content/content.ts';

/** The latest quotes of a selection (contract 4.1), from memory. */
export function cotizaciones(
  { board, instants }: { readonly board: Board; readonly instants: InstantTexts },
  answering: Answering,
): ContentSource {
  const table = quoteTable(instants);
  return answers(
    operation,
    ({ selection, extras }) => {
      const view = board.select(selection, extras);
      return {
        madeOf: () => [view.quotes],
        answer: () => ({
          rows: table.with(extras).of(view.quotes),
          missing: { 'missing-especies': view.missing },
        }),
      };
    },
    answering,
  );
}
