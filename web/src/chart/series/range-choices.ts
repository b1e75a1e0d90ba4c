import { rangeCodes, type RangeCode } from '../../places/route.ts';

/** The names of the ranges of a chart. */
export const rangeNames: Readonly<Record<RangeCode, string>> = {
  '1d': '1 día',
  '5d': '5 días',
  '1m': '1 mes',
  '3m': '3 meses',
  '6m': '6 meses',
  '1a': '1 año',
  '3a': '3 años',
  '5a': '5 años',
  max: 'Todo',
};

/** The ranges of a chart, for a control that selects one. */
const rangeChoices = rangeCodes.map((value) => ({
  value,
  name: rangeNames[value],
  short: value === 'max' ? 'Todo' : value,
}));

/** The same where there is little room. */
export const shortRangeChoices = rangeChoices.map(({ value, name, short }) => ({
  value,
  name: short,
  meaning: name,
}));
