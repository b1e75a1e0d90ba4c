import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { test } from 'node:test';

import { describeClauses } from '../../contract/document/clauses.ts';
import { makeDocument, operations } from '../../contract/document/document.ts';
import { errorCatalogue } from '../../src/wire/texts/error-texts.ts';
import { assertGenerated } from '../support/generated-file.ts';
import { fieldsIn } from '../support/fields-in.ts';

const project = resolve(import.meta.dirname, '../..');

test('contract/openapi.json is the document that follows from the declared paths', () => {
  assertGenerated(
    'contract/openapi.json',
    () => `${JSON.stringify(makeDocument(), undefined, 2)}\n`,
  );
});

test('docs/contract.md has the lists of the declared parameters and fields', () => {
  assertGenerated('docs/contract.md', (old) => describeClauses(old, operations));
});

test('docs/errors.md has each condition of the catalogue of errors below its status', () => {
  const conditions = Object.values(errorCatalogue).filter((entry) => 'when' in entry);
  assertGenerated('docs/errors.md', (old) => {
    const statuses = new Set<number>();
    const described = old.replaceAll(
      /(?<=\n## (\d+)\n[^#]*\n)(?:- .*\n)+/g,
      (_, status: string) => {
        statuses.add(Number(status));
        return conditions
          .filter((one) => one.status === Number(status))
          .map(({ when }) => `- ${when}\n`)
          .join('');
      },
    );
    assert.deepEqual(
      statuses,
      new Set(fieldsIn(conditions, 'status')),
      'a section for each status',
    );
    return described;
  });
});

test('the clause of every declared path names the path', () => {
  const sections = readFileSync(join(project, 'docs/contract.md'), 'utf8').split(/\n(?=#{2,3} )/);
  const wrong = operations.filter(({ path, clause }) => {
    const number = clause.split('.').slice(0, 2).join('.');
    return sections.find((one) => one.startsWith(`### ${number} `))?.includes(path) !== true;
  });
  assert.deepEqual(fieldsIn(wrong, 'path'), []);
});
