import type { Notice } from './notice.ts';

const rule = '-'.repeat(80);

/**
 * The text of a notices file: an introduction, and each licence once, below the packages that it applies to.
 * The same notices give the same bytes.
 */
export function noticesText(introduction: string, notices: readonly Notice[]): string {
  const groups = Map.groupBy(notices, ({ text }) => text.trim().replaceAll(/\s+/g, ' '));
  const sections = [...groups.values()].map((group) => {
    const lines = group.map(headingOf).toSorted();
    return `${rule}\n${lines.join('\n')}\n\n${withoutTrailingSpace(group[0]?.text ?? '')}\n`;
  });
  return [`${introduction}\n`, ...sections.toSorted()].join('\n');
}

function headingOf({ name, version, within, licence, copyright }: Notice): string {
  const place = version ?? (within === undefined ? '' : `(within ${within})`);
  const heading = `${name} ${place}`.trim();
  const notice = copyright === undefined ? '' : `\n    ${copyright.replaceAll('; ', '\n    ')}`;
  return `${heading}: ${licence}${notice}`;
}

function withoutTrailingSpace(text: string): string {
  return text
    .split(/\r?\n/)
    .map((line) => line.trimEnd())
    .join('\n')
    .replace(/^\n+|\n+$/g, '');
}
