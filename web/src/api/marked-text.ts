import { Fragment, h, type ComponentChild } from 'preact';
import { useMemo } from 'preact/hooks';

/** Texts and elements, never HTML text. */
type Nodes = readonly ComponentChild[];

/** A text with elements in place of what a pattern finds. */
function nodesOf(
  text: string,
  pattern: RegExp,
  nodeOf: (found: RegExpExecArray) => ComponentChild,
): Nodes {
  const nodes: ComponentChild[] = [];
  let end = 0;
  for (const found of text.matchAll(pattern)) {
    if (found.index > end) nodes.push(text.slice(end, found.index));
    nodes.push(nodeOf(found));
    end = found.index + found[0].length;
  }
  return end < text.length ? [...nodes, text.slice(end)] : nodes;
}

const json =
  /(?<name>"(?:[^"\\]|\\.)*"(?=\s*:))|(?<string>"(?:[^"\\]|\\.)*"?)|(?<number>-?\d[\d.eE+-]*)|(?<literal>true|false|null)/gs;

/** A JSON text, also one that is cut, with an element for each name and value. */
export function jsonNodes(text: string): Nodes {
  return nodesOf(text, json, ({ groups = {}, 0: part }) => {
    const kind = Object.keys(groups).find((name) => groups[name] !== undefined);
    return h('span', { class: `json-${kind}` }, part);
  });
}

/** A JSON text in colours. */
export function JsonText({ text }: { readonly text: string }) {
  return useMemo(() => h(Fragment, null, ...jsonNodes(text)), [text]);
}

const marks = /`([^`]+)`|\*\*(?=\S)(.+?)(?<=\S)\*\*|\*(?=[^\s*])([^*]+?)(?<=\S)\*/gs;

/** The code, bold and emphasis of a line of Markdown. A mark without its end is text. */
export function inlineNodes(text: string): Nodes {
  return nodesOf(text, marks, ([, code, strong, emphasis = '']) => {
    if (code !== undefined) return h('code', null, code);
    return strong === undefined
      ? h('em', null, ...inlineNodes(emphasis))
      : h('strong', null, ...inlineNodes(strong));
  });
}

/** A line of Markdown without its marks. */
export function plainText(text: string): string {
  return text.replaceAll(marks, '$1$2$3');
}

/**
 * A description of the contract. Its Markdown has paragraphs, tables, code, bold and emphasis. A test fails when
 * the contract uses more. A whole parser would be larger than the page.
 */
export function Prose({ text }: { readonly text: string }) {
  return h('div', { class: 'prose stack' }, ...blocksOf(text));
}

/** The paragraphs and tables of a description. */
export function blocksOf(text: string): Nodes {
  const blocks = text.trim().split(/\n[ \t]*\n/);
  return blocks
    .filter((block) => block !== '')
    .map((block) => tableOf(block) ?? h('p', null, ...inlineNodes(block)));
}

/** A table of GitHub's Markdown, or undefined for another block. */
function tableOf(block: string): ComponentChild | undefined {
  const [head, rule, ...rows] = block.split('\n').map((line) => line.trim());
  if (head === undefined || rule === undefined || !/^\|(\s*:?-+:?\s*\|)+$/.test(rule)) return;
  return h(
    'table',
    { class: 'prose-table' },
    h('thead', null, rowOf(head, 'th', { scope: 'col' })),
    h('tbody', null, ...rows.map((row) => rowOf(row, 'td', {}))),
  );
}

function rowOf(line: string, name: string, attributes: object): ComponentChild {
  const cells = line.replace(/^\||\|$/g, '').split('|');
  return h('tr', null, ...cells.map((cell) => h(name, attributes, ...inlineNodes(cell.trim()))));
}
