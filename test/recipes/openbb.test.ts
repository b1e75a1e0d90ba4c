/** The formulas of docs/integraciones/openbb.md, with the requests that OpenBB's add-in for Excel sends for them. */
import assert from 'node:assert/strict';
import { after, test } from 'node:test';

import { sessionDate } from './support/recipe-market.ts';
import { readRecipe } from './support/recipe-page.ts';
import { startRecipeService } from './support/recipe-service.ts';

const cleanUp = new AsyncDisposableStack();
after(() => cleanUp.disposeAsync());
const service = cleanUp.use(await startRecipeService());

const formulas = readRecipe('openbb.md')
  .take('text', 'Excel')
  .flatMap((block) => block.trim().split('\n'));

interface Widget {
  readonly endpoint: string;
  readonly params: readonly { readonly paramName: string; readonly value: string }[];
}

async function read<T>(path: string): Promise<T> {
  const headers = { authorization: `Bearer ${service.key}` };
  const response = await fetch(`${service.url}${path}`, { headers });
  assert.equal(response.status, 200, path);
  return (await response.json()) as T;
}

for (const formula of formulas) {
  test(`${formula} gets rows`, async () => {
    const [, id = '', list = ''] =
      /^=OBB\.WIDGET\("Pizarra","(\w+)",\{(.*)\}\)$/.exec(formula) ?? assert.fail(formula);
    const { [id]: widget = assert.fail(id) } =
      await read<Readonly<Record<string, Widget>>>('/widgets.json');
    const query = new URLSearchParams(
      widget.params.map(({ paramName, value }) => [
        paramName,
        value.startsWith('$currentDate') ? sessionDate : value,
      ]),
    );
    for (const pair of list.split(';')) {
      const [, name = '', value = ''] = /^"(\w+)","([^"]+)"$/.exec(pair) ?? assert.fail(pair);
      assert.ok(query.has(name), `${id} has no ${name}`);
      query.set(name, value);
    }
    const rows = await read<readonly unknown[]>(`/${widget.endpoint}?${query.toString()}`);
    assert.ok(rows.length > 0);
  });
}
