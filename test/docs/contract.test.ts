import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { test } from 'node:test';

import { makeDocument } from '../../contract/document/document.ts';
import { operations } from '../../src/contract/paths/operations.ts';
import type { FieldAbout } from '../../src/contract/table.ts';

const project = resolve(import.meta.dirname, '../..');

/** Compares a generated file with what it should be. With `UPDATE_DOCS=1`, writes it. */
function assertFile(path: string, make: (old: string) => string): void {
  const file = join(project, path);
  const old = readFileSync(file, 'utf8');
  const text = make(old);
  if (process.env['UPDATE_DOCS'] === '1') writeFileSync(file, text);
  else assert.ok(old === text, `${path} is old: run npm run docs`);
}

test('contract/openapi.json is the document that follows from the declared paths', () => {
  assertFile('contract/openapi.json', () => `${JSON.stringify(makeDocument(), undefined, 2)}\n`);
});

test('docs/contract.md has the texts of the declared parameters and fields', () => {
  assertFile('docs/contract.md', (old) => describeClauses(old));
});

const oneLine = (text: string): string => text.trim().replaceAll(/\s+/g, ' ');

/** The tables of `docs/contract.md` with the English texts of the declared parameters and fields. */
function describeClauses(markdown: string): string {
  return operations.reduce((text, { clause, inputs, tables }) => {
    const about = Object.fromEntries(
      Object.values(tables).flatMap(({ fields }) =>
        Object.entries(fields).map(([name, field]) => [name, field.about]),
      ),
    ) as Readonly<Record<string, FieldAbout>>;
    return describeSection(
      describeSection(text, clause, 'parameter', inputs),
      clause,
      'field',
      about,
    );
  }, markdown);
}

function describeSection(
  markdown: string,
  clause: string,
  kind: 'parameter' | 'field',
  texts: Readonly<Record<string, { readonly en?: string }>>,
): string {
  const start = markdown.indexOf(`\n### ${clause.split('.').slice(0, 2).join('.')} `);
  const next = markdown.slice(start + 1).search(/\n#{2,3} /);
  const end = next === -1 ? markdown.length : start + 1 + next;
  const section = markdown.slice(start, end);
  const described = section.split('\n\n').map((block) => {
    if (!block.trimStart().startsWith(`| ${kind}`)) return block;
    return block
      .split('\n')
      .map((line) => {
        const en = texts[/^\| `([^`]+)` +\|/.exec(line)?.[1] ?? '']?.en;
        if (en === undefined) return line;
        const cells = line.split(' | ');
        const last = `${en} |`;
        return oneLine(cells.at(-1) ?? '') === last
          ? line
          : [...cells.slice(0, -1), last].join(' | ');
      })
      .join('\n');
  });
  return markdown.slice(0, start) + described.join('\n\n') + markdown.slice(end);
}
