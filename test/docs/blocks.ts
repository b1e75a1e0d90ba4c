import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

export const project = resolve(import.meta.dirname, '../..');

/** A fenced block of a document. */
export interface Block {
  readonly document: string;
  /** Line of the opening fence, from 1. */
  readonly line: number;
  /** The heading of its section. */
  readonly heading: string;
  readonly language: string;
  /** Whether its figures are examples: the fence is ` ```json example `. */
  readonly isExample: boolean;
  /** Whether it configures a host of agents: the fence is ` ```json mcp `. */
  readonly isAgentHost: boolean;
  /** Whether a test in `test/recipes/` runs or parses it: the fence is ` ```yaml receta `. */
  readonly isRecipe: boolean;
  readonly text: string;
}

/** All documents of the project, as paths from its root. */
export function documents(): readonly string[] {
  const top = readdirSync(project).filter((name) => name.endsWith('.md'));
  const below = ['docs', 'src', 'test', 'bench', 'web/src', '.github'].flatMap((folder) =>
    readdirSync(join(project, folder), { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.md'))
      .map((name) => join(folder, name)),
  );
  return [...top, ...below].toSorted();
}

/** The pages of `docs/integraciones/`, without their index. */
export function recipePages(): readonly string[] {
  return documents().filter((name) => /^docs\/integraciones\/(?!README)/.test(name));
}

export function textOf(document: string): string {
  return readFileSync(join(project, document), 'utf8');
}

/** The fenced blocks of a document, in order. */
export function blocksIn(document: string): readonly Block[] {
  const blocks: Block[] = [];
  let heading = '';
  let open: (Omit<Block, 'document' | 'heading' | 'text'> & { lines: string[] }) | undefined;
  for (const [at, line] of textOf(document).split('\n').entries()) {
    const fence = /^ *```(\S*) ?(.*)$/.exec(line);
    if (fence === null) {
      open?.lines.push(line);
      if (open === undefined) heading = /^#+ (.*)$/.exec(line)?.[1] ?? heading;
    } else if (open === undefined) {
      const [, language = '', info] = fence;
      const marks = {
        isExample: info === 'example',
        isAgentHost: info === 'mcp',
        isRecipe: info === 'receta',
      };
      open = { line: at + 1, language, ...marks, lines: [] };
    } else {
      const { lines, ...rest } = open;
      blocks.push({ document, heading, ...rest, text: lines.map((one) => `${one}\n`).join('') });
      open = undefined;
    }
  }
  if (open !== undefined) throw new Error(`${document}:${open.line}: the block does not end`);
  return blocks;
}

/** A document without its fenced blocks. */
export function proseOf(document: string): string {
  return proseIn(textOf(document));
}

/** A text in Markdown without its fenced blocks. */
function proseIn(text: string): string {
  return text.replace(/^ *```.*?^ *```$/gms, '');
}

/** The relative targets of the links in a text in Markdown, pictures included. */
export function linksIn(text: string): readonly string[] {
  const targets = Array.from(proseIn(text).matchAll(/\]\(([^)\s]+)\)/g), ([, to = '']) => to);
  return targets.filter((target) => !/^[a-z]+:/.test(target));
}

/** The anchors of the headings in a text in Markdown, as GitHub generates them. */
export function anchorsIn(text: string): ReadonlySet<string> {
  const headings = proseIn(text).matchAll(/^#+ (.*)$/gm);
  return new Set(
    Array.from(headings, ([, heading = '']) =>
      heading
        .toLowerCase()
        .replace(/[^\p{L}\p{N}\s_-]/gu, '')
        .replaceAll(' ', '-'),
    ),
  );
}

/** The inline code of a document. Bars that are escaped for a table are unescaped. */
export function inlineCode(document: string): readonly string[] {
  return Array.from(proseOf(document).matchAll(/`([^`\n]+)`/g), ([, code = '']) =>
    code.replaceAll(String.raw`\|`, '|'),
  );
}
