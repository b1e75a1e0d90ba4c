import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';

import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';

import { withCsv } from '../../../web/src/api/with-csv.ts';

/** A response of the service, fetched by any client. */
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
export const openapi = JSON.parse(
  readFileSync(new URL('../../../contract/openapi.json', import.meta.url), 'utf8'),
) as Record<string, unknown>;

/** The document with CSV in its operations, as responses are compared with it. */
export const openapiWithCsv = withCsv(openapi);

// The OpenAPI document contains schemas but is not a JSON schema itself, so it is not validated as one.
const ajv = new Ajv2020({ strict: false, validateSchema: false, allErrors: true });
addFormats.default(ajv);
ajv.addSchema(openapiWithCsv, 'contract');

const errorSchema = '/components/schemas/Error';

/** Headers that a response may only have if the contract describes them for it. */
const describedHeaders = [
  'Allow',
  'Cambio',
  'Conocido-Desde',
  'Content-Encoding',
  'ETag',
  'Last-Modified',
  'Missing-Cambios',
  'Missing-Dividendos',
  'Missing-Especies',
  'Missing-Indices',
  'Missing-Terminos',
  'RateLimit',
  'RateLimit-Policy',
  'Retry-After',
  'WWW-Authenticate',
];

/**
 * Fails unless a response matches the OpenAPI document: the document has its path and status, and
 * describes its media type, headers and body. The response of a path that the document does not have
 * must be an error.
 *
 * @param method for HEAD, the body is not checked.
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

/** Fails unless a response is an error of the contract. */
export function assertError(answer: CheckedAnswer, method = 'GET'): void {
  assert.ok(answer.status >= 400, `${answer.status} is not an error`);
  assert.equal(answer.header('content-type'), 'application/json; charset=utf-8');
  if (method !== 'HEAD') assertSchema(errorSchema, JSON.parse(answer.body));
}

/** Fails unless a value matches a schema of the document. */
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
  assert.ok(response !== undefined, `the contract has no status ${status} for ${path}`);
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
    openapiWithCsv,
  );
}

function escape(step: string): string {
  return step.replaceAll('/', '~1');
}
