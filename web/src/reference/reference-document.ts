/** `openapi.json` as the reference reads it. Every part has the shape that OpenAPI 3.1 gives it. */
export interface ReferenceDocument {
  readonly info: { readonly title: string; readonly version: string; readonly description: string };
  readonly tags: readonly { readonly name: string; readonly description?: string }[];
  readonly paths: Readonly<Record<string, { readonly get?: OperationPart }>>;
  readonly components: {
    readonly schemas: Readonly<Record<string, SchemaPart>>;
    readonly responses: Readonly<Record<string, ResponsePart>>;
    readonly headers: Readonly<Record<string, HeaderPart>>;
    readonly parameters?: Readonly<Record<string, ParameterPart>>;
  };
}

export interface OperationPart {
  readonly operationId: string;
  readonly summary: string;
  readonly description?: string;
  readonly tags?: readonly string[];
  readonly security?: readonly unknown[];
  readonly parameters?: readonly (ParameterPart | ReferencePart)[];
  readonly responses: Readonly<Record<string, ResponsePart | ReferencePart>>;
}

export interface ReferencePart {
  readonly $ref: string;
}

interface ExamplesPart {
  readonly example?: unknown;
  readonly examples?: Readonly<
    Record<string, { readonly summary?: string; readonly value: unknown }>
  >;
}

export interface ParameterPart extends ExamplesPart {
  readonly name: string;
  readonly in: string;
  readonly required?: boolean;
  readonly description?: string;
  readonly schema: SchemaPart;
}

export interface ResponsePart {
  readonly description: string;
  readonly headers?: Readonly<Record<string, HeaderPart | ReferencePart>>;
  readonly content?: Readonly<Record<string, MediaPart>>;
}

export interface MediaPart extends ExamplesPart {
  readonly schema?: SchemaPart;
}

export interface HeaderPart extends ExamplesPart {
  readonly description?: string;
  readonly schema?: SchemaPart;
}

export interface SchemaPart {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly format?: string;
  readonly description?: string;
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly pattern?: string;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly exclusiveMinimum?: number;
  readonly items?: SchemaPart;
  readonly oneOf?: readonly SchemaPart[];
  readonly anyOf?: readonly SchemaPart[];
  readonly required?: readonly string[];
  readonly properties?: Readonly<Record<string, SchemaPart>>;
  readonly 'x-enum-names'?: Readonly<Record<string, string>>;
  readonly example?: unknown;
}
