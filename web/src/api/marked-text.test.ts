import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';

import * as fc from 'fast-check';
import { isValidElement } from 'preact';

import { blocksOf, inlineNodes, jsonNodes, plainText } from './marked-text.ts';

const contract = new URL('../../../contract/openapi.json', import.meta.url);

/** What nodes are as HTML, where a text stands for itself. */
function htmlOf(node: unknown): string {
  if (Array.isArray(node)) return node.map(htmlOf).join('');
  if (!isValidElement(node)) return typeof node === 'string' ? node : '';
  const { class: name } = node.props as { readonly class?: string };
  const start = name === undefined ? node.type : `${String(node.type)} ${name}`;
  return `<${String(start)}>${htmlOf(node.props.children)}</${String(node.type)}>`;
}

test('code, bold and emphasis are parsed, and a mark without its end is text', () => {
  const text = '**Ajuste `a`.** Un *split* de 2 * 3 en `b*c*`';
  assert.equal(
    htmlOf(inlineNodes(text)),
    '<strong>Ajuste <code>a</code>.</strong> Un <em>split</em> de 2 * 3 en <code>b*c*</code>',
  );
  assert.deepEqual(inlineNodes('a `b'), ['a `b']);
  assert.equal(plainText('Un *split* de `b*c*` en **x**'), 'Un split de b*c* en x');
});

test('paragraphs and tables are parsed', () => {
  const [paragraph, table] = blocksOf('uno\ndos\n\n| a | b |\n|---|---|\n| 1 | `2` |\n');
  assert.equal(htmlOf(paragraph), '<p>uno\ndos</p>');
  assert.equal(
    htmlOf(table),
    '<table prose-table><thead><tr><th>a</th><th>b</th></tr></thead><tbody><tr><td>1</td><td><code>2</code></td></tr></tbody></table>',
  );
});

test('no description of the contract shows raw Markdown', () => {
  const descriptions = textsOf(JSON.parse(readFileSync(contract, 'utf8')));
  assert.ok(descriptions.length > 100);
  for (const description of descriptions) {
    for (const block of blocksOf(description)) {
      const html = htmlOf(block).replaceAll(/<code>.*?<\/code>/gs, '');
      const plain = html.replaceAll(/<\/?(?:p|table|thead|tbody|tr|th|td|strong|em)\b[^>]*>/g, '');
      // A list or a title begins a block.
      assert.doesNotMatch(plain, /[*`|[\]]|^(#|-|>|\d+\.) /, description);
    }
  }
});

/** Every description and summary within a value. */
function textsOf(value: unknown): readonly string[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, inner]) =>
    (name === 'description' || name === 'summary') && typeof inner === 'string'
      ? [inner]
      : textsOf(inner),
  );
}

test('names, strings, numbers and literals of a JSON text are told apart', () => {
  assert.equal(
    htmlOf(jsonNodes('{"a": "x\\"y: 1", "b": -1.5e3}')),
    '{<span json-name>"a"</span>: <span json-string>"x\\"y: 1"</span>, <span json-name>"b"</span>: <span json-number>-1.5e3</span>}',
  );
  assert.equal(htmlOf(jsonNodes('[null]')), '[<span json-literal>null</span>]');
});

test('the parts of a JSON text are the text, also if it is cut', () => {
  fc.assert(
    fc.property(fc.json(), fc.nat(), (json, length) => {
      const text = JSON.stringify(JSON.parse(json), undefined, 2).slice(0, length);
      const html = htmlOf(jsonNodes(text)).replaceAll(/<\/?span(?: json-\w+)?>/g, '');
      assert.equal(html, text);
    }),
  );
});
