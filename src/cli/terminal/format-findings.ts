import type { Finding } from '../../lib/reports/finding.ts';
import { printable } from '../../lib/text/printable.ts';

/** Maximum number of cases of a finding in the text output. The JSON output has all. */
const casesShownMax = 8;

const marks: Readonly<Record<Finding['state'], string>> = {
  fine: 'fine',
  warning: 'WARN',
  wrong: 'WRONG',
};

/** The findings as text: a line for each, then its cases and what to do. */
export function formatFindings(findings: readonly Finding[]): string {
  const width = Math.max(...findings.map(({ check }) => check.length));
  const indent = ' '.repeat('WRONG'.length + 2 + width + 2);
  return findings
    .flatMap(({ check, state, says, todo, cases = [] }) => [
      `${marks[state].padEnd('WRONG'.length)}  ${check.padEnd(width)}  ${says.replaceAll('\n', `\n${indent}`)}`,
      ...cases.slice(0, casesShownMax).map((one) => `${indent}- ${printable(one)}`),
      ...(cases.length > casesShownMax
        ? [`${indent}- and ${cases.length - casesShownMax} more (--json shows all)`]
        : []),
      ...(todo === undefined ? [] : [`${indent}→ ${todo}`]),
    ])
    .join('\n');
}
