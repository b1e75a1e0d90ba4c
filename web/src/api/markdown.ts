/** A part of a line of text. */
export type Inline =
  | { readonly kind: 'text' | 'code'; readonly text: string }
  | { readonly kind: 'strong' | 'emphasis'; readonly parts: readonly Inline[] };

/** A part of a description. */
export type Block =
  | { readonly kind: 'paragraph'; readonly parts: readonly Inline[] }
  | {
      readonly kind: 'table';
      readonly head: readonly (readonly Inline[])[];
      readonly rows: readonly (readonly (readonly Inline[])[])[];
    };

/**
 * Parses the Markdown that the descriptions of the contract use: paragraphs, tables, code, bold and
 * emphasis. A test fails when the contract uses more. A whole parser would be larger than the page.
 */
export function parseMarkdown(text: string): readonly Block[] {
  return text
    .trim()
    .split(/\n[ \t]*\n/)
    .filter((block) => block !== '')
    .map((block) => parseTable(block) ?? { kind: 'paragraph', parts: parseInline(block) });
}

/** Parses code, bold and emphasis. A mark without its end is text. */
export function parseInline(text: string): readonly Inline[] {
  const marks = /`([^`]+)`|\*\*(?=\S)(.+?)(?<=\S)\*\*|\*(?=[^\s*])([^*]+?)(?<=\S)\*/gs;
  const parts: Inline[] = [];
  let end = 0;
  for (const found of text.matchAll(marks)) {
    const [whole, code, strong, emphasis] = found;
    if (found.index > end) parts.push({ kind: 'text', text: text.slice(end, found.index) });
    if (code !== undefined) parts.push({ kind: 'code', text: code });
    else if (strong !== undefined) parts.push({ kind: 'strong', parts: parseInline(strong) });
    else parts.push({ kind: 'emphasis', parts: parseInline(emphasis ?? '') });
    end = found.index + whole.length;
  }
  if (end < text.length) parts.push({ kind: 'text', text: text.slice(end) });
  return parts;
}

/** A table of GitHub's Markdown, or undefined for another block. */
function parseTable(block: string): Block | undefined {
  const [head, rule, ...rows] = block.split('\n').map((line) => line.trim());
  if (head === undefined || rule === undefined || !/^\|(\s*:?-+:?\s*\|)+$/.test(rule)) return;
  return { kind: 'table', head: cellsOf(head), rows: rows.map(cellsOf) };
}

function cellsOf(line: string): readonly (readonly Inline[])[] {
  const inner = line.replace(/^\||\|$/g, '');
  return inner.split('|').map((cell) => parseInline(cell.trim()));
}
