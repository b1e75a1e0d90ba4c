import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { test } from 'node:test';
import { isDeepStrictEqual } from 'node:util';

import { parse, parseDocument } from 'yaml';

import { operations } from '../../src/contract/paths/operations.ts';
import { describeClauses, describeOperations } from './declared-contract.ts';

const project = resolve(import.meta.dirname, '../..');
const [openapiFile, contractFile] = ['contract/openapi.yaml', 'docs/contract.md'].map((file) =>
  join(project, file),
) as [string, string];
const updates = process.env['UPDATE_DOCS'] === '1';

test('contract/openapi.yaml has the parameters and the fields of the declared paths', () => {
  const text = readFileSync(openapiFile, 'utf8');
  const document = parseDocument(text);
  describeOperations(document, operations);
  const described = document.toString({ lineWidth: 110 });
  const isOld = !isDeepStrictEqual(parse(text), parse(described));
  if (updates && isOld) writeFileSync(openapiFile, described);
  else assert.ok(!isOld, 'contract/openapi.yaml is old: run npm run docs');
});

test('docs/contract.md has the texts of the declared parameters and fields', () => {
  const text = readFileSync(contractFile, 'utf8');
  const described = describeClauses(text, operations);
  if (updates) writeFileSync(contractFile, described);
  assert.equal(updates ? described : text, described, 'docs/contract.md is old: run npm run docs');
});
