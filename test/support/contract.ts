import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';

import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { parse } from 'yaml';

/** An answer of the service, however it was fetched. */
export interface CheckedAnswer {
  readonly status: number;
  header(name: string): string | undefined;
  readonly body: string;
}

interface Response {
  readonly headers?: Readonly<Record<string, { readonly $ref: string }>>;
  readonly content?: Readonly<Record<string, unknown>>;
}

/** The OpenAPI document, as the program loads it. */
export const openapi = parse(
  readFileSync(new URL('../../contract/openapi.yaml', import.meta.url), 'utf8'),
) as Record<string, unknown>;

// The document is no schema itself, only the home of schemas: hence neither strict nor validated.
const ajv = new Ajv2020({ strict: false, validateSchema: false, allErrors: true });
addFormats.default(ajv);
ajv.addSchema(openapi, 'contract');

const errorSchema = '/components/schemas/Error';

/** An answer has one of these only where the contract says so. */
const describedHeaders = [
  'Allow',
  'Content-Encoding',
  'ETag',
  'Last-Modified',
  'Missing-Especies',
  'RateLimit',
  'RateLimit-Policy',
  'Retry-After',
  'WWW-Authenticate',
];

/**
 * Fails unless an answer is what the contract says of its path and status: the status is named there,
 * and media type, headers and body are as described. A path that the contract does not have may only
 * answer with an error.
 *
 * @param method the body of an answer to HEAD is not there to be checked.
 */
export function assertContract(method: string, path: string, answer: CheckedAnswer): void {
  const operation = lookUp(`/paths/${escape(path)}/get`);
  if (operation === undefined || answer.status === 404) {
    assertError(answer, method);
    return;
  }
  const pointer = responsePointer(path, answer.status);
  const response = lookUp(pointer) as Response;
  assertHeaders(response, answer);
  if (response.content === undefined) {
    assert.equal(answer.body, '');
    return;
  }
  const type = answer.header('content-type') ?? '';
  const mediaType = type.split(';')[0] ?? '';
  const header = mediaType === 'text/csv' ? '; header=present' : '';
  assert.equal(type, `${mediaType}; charset=utf-8${header}`);
  assert.ok(mediaType in response.content, `${path} ${answer.status} answered ${mediaType}`);
  if (method === 'HEAD') return;
  const schema = `${pointer}/content/${escape(mediaType)}/schema`;
  const value: unknown = mediaType === 'application/json' ? JSON.parse(answer.body) : answer.body;
  assertSchema(schema, value);
}

/** Fails unless an answer is an error as the contract describes one. */
export function assertError(answer: CheckedAnswer, method = 'GET'): void {
  assert.ok(answer.status >= 400, `${answer.status} is no error`);
  assert.equal(answer.header('content-type'), 'application/json; charset=utf-8');
  if (method !== 'HEAD') assertSchema(errorSchema, JSON.parse(answer.body));
}

/** Fails unless a value is what one of the document's schemas describes. */
export function assertSchemaOf(name: string, value: unknown): void {
  assertSchema(`/components/schemas/${name}`, value);
}

function assertHeaders({ headers = {} }: Response, answer: CheckedAnswer): void {
  for (const [name, { $ref }] of Object.entries(headers)) {
    const value = answer.header(name);
    const { required } = lookUp($ref.slice(1)) as { readonly required: boolean };
    if (value !== undefined) assertSchema(`${$ref.slice(1)}/schema`, value);
    else assert.ok(!required, `${answer.status} without ${name}`);
  }
  for (const name of describedHeaders) {
    if (name in headers) continue;
    assert.equal(answer.header(name), undefined, `${answer.status} with ${name}, undescribed`);
  }
}

function responsePointer(path: string, status: number): string {
  const pointer = `/paths/${escape(path)}/get/responses/${status}`;
  const response = lookUp(pointer);
  assert.ok(response !== undefined, `${status} is not in the contract of ${path}`);
  const { $ref } = response as { readonly $ref?: string };
  return $ref === undefined ? pointer : $ref.slice(1);
}

function assertSchema(pointer: string, value: unknown): void {
  const id = `contract#${pointer}`;
  const validate = ajv.getSchema(id);
  assert.ok(validate !== undefined, `no schema at ${pointer}`);
  assert.ok(validate(value), `${JSON.stringify(value)}: ${ajv.errorsText(validate.errors)}`);
}

function lookUp(pointer: string): unknown {
  const steps = pointer.split('/').slice(1);
  return steps.reduce<unknown>(
    (node, step) =>
      typeof node === 'object' && node !== null
        ? (node as Record<string, unknown>)[step.replaceAll('~1', '/')]
        : undefined,
    openapi,
  );
}

function escape(step: string): string {
  return step.replaceAll('/', '~1');
}
