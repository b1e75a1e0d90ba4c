import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';

import { parseInline, parseMarkdown, type Inline } from './markdown.ts';

const contract = new URL('../../../contract/openapi.json', import.meta.url);

test('code, bold and emphasis are parsed, and a mark without its end is text', () => {
  assert.deepEqual(parseInline('**Ajuste `a`.** Un *split* de 2 * 3 en `b*c*`'), [
    {
      kind: 'strong',
      parts: [
        { kind: 'text', text: 'Ajuste ' },
        { kind: 'code', text: 'a' },
        { kind: 'text', text: '.' },
      ],
    },
    { kind: 'text', text: ' Un ' },
    { kind: 'emphasis', parts: [{ kind: 'text', text: 'split' }] },
    { kind: 'text', text: ' de 2 * 3 en ' },
    { kind: 'code', text: 'b*c*' },
  ]);
  assert.deepEqual(parseInline('a `b'), [{ kind: 'text', text: 'a `b' }]);
});

test('paragraphs and tables are parsed', () => {
  const [paragraph, table] = parseMarkdown('uno\ndos\n\n| a | b |\n|---|---|\n| 1 | `2` |\n');
  assert.equal(paragraph?.kind, 'paragraph');
  assert.deepEqual(table, {
    kind: 'table',
    head: [[{ kind: 'text', text: 'a' }], [{ kind: 'text', text: 'b' }]],
    rows: [[[{ kind: 'text', text: '1' }], [{ kind: 'code', text: '2' }]]],
  });
});

test('no description of the contract shows raw Markdown', () => {
  const descriptions = textsOf(JSON.parse(readFileSync(contract, 'utf8')));
  assert.ok(descriptions.length > 100);
  for (const description of descriptions) {
    for (const block of parseMarkdown(description)) {
      const isParagraph = block.kind === 'paragraph';
      const parts = isParagraph ? block.parts : [...block.head, ...block.rows.flat()].flat();
      // A list or a title begins a block.
      assert.doesNotMatch(plainOf(parts), /[*`|[\]]|^(#|-|>|\d+\.) /, description);
    }
  }
});

/** The text outside code. */
function plainOf(parts: readonly Inline[]): string {
  return parts
    .map((part) => {
      if ('parts' in part) return plainOf(part.parts);
      return part.kind === 'code' ? '' : part.text;
    })
    .join('');
}

/** Every description and summary within a value. */
function textsOf(value: unknown): readonly string[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, inner]) =>
    (name === 'description' || name === 'summary') && typeof inner === 'string'
      ? [inner]
      : textsOf(inner),
  );
}
