import { eventTable, eventos as operation } from '../../contract/paths/eventos.ts';
import type { CorporateActions } from '../../domain/history/corporate-actions.ts';
import type { Instrument } from '../../domain/instruments/instrument.ts';
import { inEventOrder } from '../../wire/texts/action-names.ts';
import { answers, type Answering, type AnsweringRoute } from '../answers/answers.ts';
import { oneSlice } from '../answers/read-queue.ts';
import { asOf } from '../history/as-of.ts';
import type { PathParts } from './path-parts.ts';

/** The corporate actions of one instrument, or of several, in a range of days (contract 4.8). */
export function eventos(
  {
    board,
    actions,
    known: sources,
    revisions,
  }: Pick<PathParts, 'board' | 'actions' | 'known' | 'revisions'>,
  answering: Answering,
): AnsweringRoute {
  const { clock } = answering.memory;
  return answers(
    operation,
    ({ subject, knownAt }) => {
      const { instruments, missing: unknown } = board.named(subject.selection);
      const missing = { 'missing-especies': unknown };
      const { from, to } = subject.days;
      const rowsOf = (all: CorporateActions, of: readonly Instrument[]) =>
        eventTable.of(
          of.flatMap(({ ticker }) =>
            inEventOrder(all.of(ticker).filter(({ exDay }) => exDay >= from && exDay <= to)),
          ),
        );
      if (knownAt === undefined) {
        return {
          madeOf: () => [actions()],
          answer: () => ({ rows: rowsOf(actions(), instruments), missing }),
        };
      }
      return asOf(
        {
          knownAt,
          instruments,
          read: (known) =>
            oneSlice(async () => {
              const rows = rowsOf(await sources.actionsAt(knownAt), known);
              return { rows, missing };
            }),
        },
        { sources, revisions, clock },
      );
    },
    answering,
  );
}
