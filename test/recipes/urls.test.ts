/**
 * Every URL that a page of `docs/integraciones/` or docs/spreadsheets.md shows works, with the media type that the page states. The
 * section "Add a recipe" of CONTRIBUTING.md says how a page writes them.
 */
import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';

import { recipePages, textOf } from '../docs/blocks.ts';
import { startRecipeService } from './support/recipe-service.ts';

const pages = [...recipePages(), 'docs/spreadsheets.md'];

const cleanUp = new AsyncDisposableStack();
after(() => cleanUp.disposeAsync());
const service = cleanUp.use(await startRecipeService());

/** What tools replace in a URL before they request it. */
const placeholders: readonly (readonly [RegExp, string])[] = [
  [/\{(?:TICKER|SYMBOL)\}/g, 'GGAL'],
  [/\{(?:TODAY|TO)\}/g, '2026-11-20'],
  [/\{FROM\}/g, '2026-11-01'],
  [/\$\{__from:date:YYYY-MM-DD\}/g, '2026-11-01'],
  [/\$\{__to:date:YYYY-MM-DD\}/g, '2026-11-20'],
  // A formula appends the ticker of a cell.
  [/(?<=[?&]especie=)$/, 'GGAL'],
];

/** The beginnings of URLs to which a tool appends paths or a query, each with a target that it requests. */
const bases: Readonly<Record<string, string>> = {
  '': '/especies.txt',
  '/udf': '/udf/config',
  '/cotizaciones': '/cotizaciones?especie=GGAL',
};

interface ShownUrl {
  readonly line: number;
  readonly url: string;
  /** The media types that its section names; those of the whole page if the section names none. */
  readonly types: readonly string[];
}

/** The media types that are stated in a text, as inline code. */
function typesIn(text: string): readonly string[] {
  return Array.from(text.matchAll(/`((?:application|text)\/[a-z+-]+)`/g), ([, type = '']) => type);
}

/** The lines of a document by section. A line that begins with `#` in a fenced block is no heading. */
function sectionsOf(text: string): readonly (readonly { line: number; content: string }[])[] {
  const sections: { line: number; content: string }[][] = [[]];
  let isFenced = false;
  for (const [at, content] of text.split('\n').entries()) {
    if (/^ *```/.test(content)) isFenced = !isFenced;
    if (!isFenced && /^#+ /.test(content)) sections.push([]);
    sections.at(-1)?.push({ line: at + 1, content });
  }
  return sections;
}

function urlsIn(page: string): readonly ShownUrl[] {
  const text = textOf(page);
  return sectionsOf(text).flatMap((section) => {
    const own = typesIn(section.map(({ content }) => content).join('\n'));
    const types = own.length > 0 ? own : typesIn(text);
    return section.flatMap(({ line, content }) =>
      Array.from(
        content.matchAll(/https:\/\/cotizaciones\.example\.com[^\s"'`<>)]*/g),
        ([url]) => ({ line, url, types }),
      ),
    );
  });
}

/** Requests a URL of a page as its tool does: with a key in the path, or with one in a header. */
async function request(
  url: string,
): Promise<{ readonly isBase: boolean; readonly response: Response }> {
  const target = placeholders.reduce(
    (text, [from, to]) => text.replaceAll(new RegExp(from, 'g'), to),
    url.replace('https://cotizaciones.example.com', ''),
  );
  const path = target.replace(/^\/clave\/pzc_…/, '');
  const place = path === target ? service.url : service.keyedUrl;
  const authorization = path === target ? { authorization: `Bearer ${service.key}` } : undefined;
  const base = bases[path.replace(/\/$/, '')];
  const response = await fetch(`${place}${base ?? path}`, { headers: authorization ?? {} });
  return { isBase: base !== undefined, response };
}

for (const page of pages) {
  const shown = urlsIn(page);
  describe(page, { skip: shown.length === 0 ? 'it shows no URL' : false }, () => {
    for (const { line, url, types } of shown) {
      test(`line ${line}: ${url} answers 200 with a media type that the page states`, async () => {
        const { isBase, response } = await request(url);
        const body = await response.text();
        assert.equal(response.status, 200, body);
        const [type = ''] = (response.headers.get('content-type') ?? '').split(';');
        if (!isBase) assert.ok(types.includes(type), `${type} is not among: ${types.join(', ')}`);
        assert.notEqual(body.trim(), '[]', 'no data');
        if (type === 'text/csv') assert.match(body.trim(), /\n/, 'a heading without data');
      });
    }
  });
}

test('the pages show URLs with keys for URLs, and these are found', () => {
  const keyed = pages.flatMap(urlsIn).filter(({ url }) => url.includes('/clave/pzc_…'));
  assert.ok(keyed.length > 0);
});
