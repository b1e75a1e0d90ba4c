import { parseSync, visitorKeys } from 'oxc-parser';

import { mutationsOf, type SourceNode } from './operators.ts';

/** One small change of one source file. */
export interface Mutant {
  /** Path from the root of the repository. */
  readonly file: string;
  readonly operator: string;
  /** Offsets of the replaced text in the file, in UTF-16 code units. */
  readonly start: number;
  readonly end: number;
  readonly replacement: string;
  /** Line number, from 1. */
  readonly line: number;
  /** The lines with the replaced text, joined into one. */
  readonly before: string;
  /** The same lines after the change. */
  readonly after: string;
}

/** Keys of syntax nodes with types, which do not exist at run time. */
const typeKeys = new Set([
  'typeAnnotation',
  'returnType',
  'typeParameters',
  'typeArguments',
  'superTypeArguments',
  'superTypeParameters',
  'implements',
]);

/** TypeScript nodes that contain an expression. All others are types. */
const wrappers = new Set(['TSAsExpression', 'TSNonNullExpression', 'TSSatisfiesExpression']);

/** All mutants of a source file, in the order of their position. */
export function mutantsOf(file: string, source: string): readonly Mutant[] {
  const { program, errors } = parseSync(file, source, { preserveParens: true });
  if (errors.length > 0) throw new Error(`${file} does not parse: ${errors[0]?.message}`);
  const mutants: Mutant[] = [];

  function visit(node: SourceNode, ancestors: readonly SourceNode[]): void {
    for (const { operator, start, end, replacement } of mutationsOf(node, ancestors, source)) {
      const lines = linesAround(source, start, end);
      mutants.push({
        file,
        operator,
        start,
        end,
        replacement,
        line: source.slice(0, start).split('\n').length,
        before: inOneLine(source.slice(lines.start, lines.end)),
        after: inOneLine(
          source.slice(lines.start, start) + replacement + source.slice(end, lines.end),
        ),
      });
    }
    const path = [...ancestors, node];
    for (const child of childrenOf(node)) visit(child, path);
  }
  visit(program as unknown as SourceNode, []);
  return mutants.toSorted((a, b) => a.start - b.start || a.end - b.end);
}

/**
 * The source text of a file with one mutant in it.
 *
 * @throws when the line has changed since the mutant was found.
 */
export function applyMutant(source: string, mutant: Mutant): string {
  const { file, line, start, end, replacement } = mutant;
  const lines = linesAround(source, start, end);
  if (inOneLine(source.slice(lines.start, lines.end)) !== mutant.before) {
    throw new Error(`${file}:${line} has changed during the run, start it again`);
  }
  return source.slice(0, start) + replacement + source.slice(end);
}

/** The offsets of the whole lines with a text. */
function linesAround(source: string, start: number, end: number): { start: number; end: number } {
  const newline = source.indexOf('\n', end);
  return {
    start: source.lastIndexOf('\n', start - 1) + 1,
    end: newline < 0 ? source.length : newline,
  };
}

function childrenOf(node: SourceNode): readonly SourceNode[] {
  return (visitorKeys[node.type] ?? []).flatMap((key) => {
    if (typeKeys.has(key)) return [];
    const value = (node as unknown as Record<string, unknown>)[key];
    const children = (Array.isArray(value) ? value : [value]) as readonly (SourceNode | null)[];
    return children.filter(
      (child): child is SourceNode =>
        child !== null &&
        child !== undefined &&
        (!child.type.startsWith('TS') || wrappers.has(child.type)),
    );
  });
}

function inOneLine(text: string): string {
  return text.replace(/\s+/g, ' ').trim();
}
