import type { ParameterEntry } from './openapi.ts';

/** The control of a parameter. A date that no date picker can show is a text. */
export function shownAs(
  { choices, isList, format }: Pick<ParameterEntry, 'choices' | 'isList' | 'format'>,
  value: string,
): 'checks' | 'select' | 'date' | 'text' {
  if (choices.length > 0) return isList ? 'checks' : 'select';
  return format === 'date' && (value === '' || isDate(value)) ? 'date' : 'text';
}

/** The values of a list, as they are in a query. */
export function listOf(value: string): readonly string[] {
  return value.split(',').filter((one) => one.trim() !== '');
}

/** A list with a value or without it. The order of the others is unchanged. */
export function withChoice(
  value: string,
  { choice, isOn }: { readonly choice: string; readonly isOn: boolean },
): string {
  const others = listOf(value).filter((one) => one !== choice);
  return (isOn ? [...others, choice] : others).join(',');
}

function isDate(value: string): boolean {
  const date = new Date(`${value}T00:00:00Z`);
  return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(`${value}T`);
}
