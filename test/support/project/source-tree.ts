import { readdirSync, readFileSync } from 'node:fs';
import { join, relative, resolve, sep } from 'node:path';

import { Visitor, parseSync, type Program } from 'oxc-parser';

const project = resolve(import.meta.dirname, '../../..');

/** The entry of a module whose name is an expression in {@link SourceFile.imports}. */
export const computedImport = '(computed)';

/** A parsed source file. */
export interface SourceFile {
  /** The path relative to the folder that was read, with slashes: `lib/time/clock.ts`. */
  readonly path: string;
  readonly text: string;
  readonly program: Program;
  /** The modules that it imports, exports from, or loads with `import()`, as written. */
  readonly imports: readonly string[];
}

/**
 * The TypeScript files of a folder and its subfolders, by default without their unit tests.
 *
 * @param folder relative to the project. The paths of the files are relative to it.
 */
export function readSourceTree(
  folder = 'src',
  { withTests = false }: { readonly withTests?: boolean } = {},
): readonly SourceFile[] {
  const source = join(project, folder);
  return readdirSync(source, { recursive: true, encoding: 'utf8' })
    .filter(
      (file) =>
        (withTests ? /\.tsx?$/ : /(?<!\.test)\.tsx?$/).test(file) &&
        !file.split(sep).includes('node_modules'),
    )
    .map((file) => {
      const absolute = join(source, file);
      const text = readFileSync(absolute, 'utf8');
      return parseSource(relative(source, absolute).split(sep).join('/'), text);
    });
}

/** Parses a source file. @throws when the text is not valid TypeScript. */
export function parseSource(path: string, text: string): SourceFile {
  const { program, module, errors } = parseSync(path, text);
  if (errors.length > 0) throw new Error(`${path} does not parse: ${errors[0]?.message}`);
  const imports = [
    ...module.staticImports.map((one) => one.moduleRequest.value),
    ...module.staticExports.flatMap(({ entries }) =>
      entries.flatMap(({ moduleRequest }) => (moduleRequest === null ? [] : [moduleRequest.value])),
    ),
  ];
  new Visitor({
    ImportExpression(node) {
      imports.push(node.source.type === 'Literal' ? String(node.source.value) : computedImport);
    },
  }).visit(program);
  return { path, text, program, imports: [...new Set(imports)] };
}
