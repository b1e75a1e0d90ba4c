import type { Finding } from '../../lib/reports/finding.ts';
import { formatExactNumber } from '../../lib/numbers/exact-number.ts';
import { printable } from '../../lib/text/printable.ts';

/**
 * The result of a command. It is printed as text or, with `--json` and `--csv`, as that. A fault is thrown, and is no
 * result.
 */
export interface Report {
  /** The text on standard output: sentences, each without its line end, and tables. */
  readonly sections?: readonly Section[];
  /** The JSON. By default, that of the rows. */
  readonly json?: unknown;
  /** The CSV, with its line ends. */
  readonly csv?: string;
  /** Printed on standard error in every form. */
  readonly notes?: readonly string[];
  /** `failed` exits with 1, `interrupted` with 130. */
  readonly outcome?: 'failed' | 'interrupted' | undefined;
}

export type Section = string | Rows;

/** Rows with the same fields. */
export interface Rows {
  readonly text: string;
  readonly objects: readonly object[];
}

type Value = string | number | null;

/**
 * A field of rows: its heading in the text, its value, and its text if that is another one. A field without a heading
 * is in the JSON only.
 */
export type Column<T> = readonly [
  heading: string | undefined,
  value: (row: T) => unknown,
  text?: (row: T) => string,
];

/** A table of values, by the names that JSON has for its columns. */
export function rows<T>(values: readonly T[], columns: Readonly<Record<string, Column<T>>>): Rows {
  const shown = Object.values(columns).filter(([heading]) => heading !== undefined);
  return {
    text: formatTable(
      shown.map(([heading = '']) => heading),
      values.map((one) =>
        shown.map(([, value, text]) => text?.(one) ?? cellText(value(one) as Value)),
      ),
    ),
    objects: values.map((one) =>
      Object.fromEntries(Object.entries(columns).map(([name, [, value]]) => [name, value(one)])),
    ),
  };
}

/** A value in a table: exact, and a dash for null. */
export function cellText(value: Value): string {
  if (value === null) return '-';
  return typeof value === 'number' ? formatExactNumber(value) : value;
}

/** Formats rows as a table. Each column is as wide as its widest cell. Columns are two spaces apart. */
export function formatTable(
  head: readonly string[],
  cells: readonly (readonly string[])[],
): string {
  const lines = [head, ...cells.map((row) => row.map(printable))];
  const widths = head.map((_, column) =>
    Math.max(...lines.map((line) => line[column]?.length ?? 0)),
  );
  return lines
    .map((line) => line.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join('  '))
    .map((line) => line.trimEnd())
    .join('\n');
}

/**
 * A title and the first entries below it. Nothing for no entries.
 *
 * @param count the number of entries, when not all are in the list
 * @param remedy what to do for the others
 */
export function listed(
  title: string,
  entries: readonly string[],
  max: number,
  {
    count = entries.length,
    remedy = '',
  }: { readonly count?: number; readonly remedy?: string } = {},
): readonly string[] {
  if (entries.length === 0) return [];
  const shown = entries.slice(0, max);
  const hidden = count - shown.length;
  const more = hidden > 0 ? [`  and ${formatCount(hidden)} more${remedy}`] : [];
  return [title, ...shown.map((one) => `  ${one}`), ...more];
}

export function formatCount(value: number): string {
  return value.toLocaleString('en');
}

/** A count with its noun, which is given in the plural: `1 close`, `1,200 closes`. */
export function formatCounted(count: number, plural: string): string {
  return `${formatCount(count)} ${count === 1 ? plural.replace(/s\b/, '') : plural}`;
}

/** Maximum number of cases of a finding in the text output. The JSON output has all. */
const casesShownMax = 8;

export const findingMarks: Readonly<Record<Finding['state'], string>> = {
  fine: 'fine',
  warning: 'WARN',
  wrong: 'WRONG',
};

/** The findings of checks: a line for each, then its cases and what to do. */
export function findingRows(findings: readonly Finding[]): Rows {
  const width = Math.max(...findings.map(({ check }) => check.length));
  const indent = ' '.repeat('WRONG'.length + 2 + width + 2);
  const text = findings
    .flatMap(({ check, state, says, todo, cases = [] }) => [
      `${findingMarks[state].padEnd('WRONG'.length)}  ${check.padEnd(width)}  ${says.replaceAll('\n', `\n${indent}`)}`,
      ...cases.slice(0, casesShownMax).map((one) => `${indent}- ${printable(one)}`),
      ...(cases.length > casesShownMax
        ? [`${indent}- and ${cases.length - casesShownMax} more (--json shows all)`]
        : []),
      ...(todo === undefined ? [] : [`${indent}→ ${todo}`]),
    ])
    .join('\n');
  return { text, objects: findings };
}
