import { indexList, indexValues, indices as operation } from '../../contract/paths/indices.ts';
import { indexNames } from '../../domain/indices/index-name.ts';
import { answers, type Answering, type AnsweringRoute } from '../answers/answers.ts';
import type { PathParts } from './path-parts.ts';

/** The indices with their first and last days, or the values of one of them (contract 4.14). */
export function indices(
  { indices: current }: Pick<PathParts, 'indices'>,
  answering: Answering,
): AnsweringRoute {
  return answers(
    operation,
    ({ subject }) => ({
      madeOf: () => [current()],
      answer: () => {
        const series = current();
        if (subject.index === undefined) {
          const list = indexNames.map((index) => ({ index, extent: series.extent(index) }));
          return { rows: indexList.of(list) };
        }
        const { index, from, to } = subject;
        const values = series.range(index, from, to);
        return { rows: indexValues.of(values.map((one) => ({ index, ...one }))) };
      },
    }),
    answering,
  );
}
