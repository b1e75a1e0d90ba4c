import { AnchorLink } from './parts.tsx';
import { JsonText, plainText, Prose } from './marked-text.ts';
import {
  examplesOf,
  nameIn,
  type MediaPart,
  type ParameterEntry,
  type SchemaPart,
} from './openapi.ts';

const names: Readonly<Record<string, string>> = {
  string: 'texto',
  number: 'número',
  integer: 'entero',
  boolean: 'sí o no',
  object: 'objeto',
  array: 'lista',
  null: 'null',
};

const formats: Readonly<Record<string, string>> = {
  date: 'fecha AAAA-MM-DD',
  'date-time': 'instante ISO 8601',
};

/** The type of a schema, with links to the schemas that it names. */
export function SchemaType({ schema }: { readonly schema: SchemaPart }) {
  if (schema.$ref !== undefined) {
    const name = nameIn(schema.$ref);
    return (
      <AnchorLink anchor={name} class="mono">
        {name}
      </AnchorLink>
    );
  }
  const kinds = schema.oneOf ?? schema.anyOf;
  if (kinds !== undefined) {
    return (
      <>
        {kinds.map((kind, at) => (
          <span key={at}>
            {at > 0 && ' o '}
            <SchemaType schema={kind} />
          </span>
        ))}
      </>
    );
  }
  if (schema.items !== undefined) {
    return (
      <>
        lista de <SchemaType schema={schema.items} />
      </>
    );
  }
  return <>{typeName(schema)}</>;
}

/** The allowed values of a schema, and its limits. */
export function Constraints({ schema }: { readonly schema: SchemaPart }) {
  const { minimum, maximum, exclusiveMinimum, pattern } = schema;
  const values = schema.const === undefined ? (schema.enum ?? []) : [schema.const];
  const labels = schema['x-enum-names'] ?? {};
  const limits = [
    minimum === undefined ? [] : `desde ${minimum}`,
    exclusiveMinimum === undefined ? [] : `mayor que ${exclusiveMinimum}`,
    maximum === undefined ? [] : `hasta ${maximum}`,
  ].flat();
  return (
    <>
      {values.length > 0 && (
        <p class="small">
          Valores:{' '}
          {values.map((value, at) => (
            <span key={String(value)}>
              {at > 0 && ', '}
              <code>{String(value)}</code>
              {labels[String(value)] !== undefined && ` (${labels[String(value)]})`}
            </span>
          ))}
        </p>
      )}
      {limits.length > 0 && <p class="small">Límites: {limits.join(', ')}</p>}
      {pattern !== undefined && pattern.length < 80 && (
        <p class="small">
          Forma: <code>{pattern}</code>
        </p>
      )}
    </>
  );
}

function typeName({ type, format }: SchemaPart): string {
  const types = Array.isArray(type) ? (type as readonly string[]) : [(type as string) ?? 'object'];
  return types
    .map((one) => (one === 'string' ? (formats[format ?? ''] ?? names[one]) : (names[one] ?? one)))
    .join(' o ');
}

/** The type of a parameter, and whether it is needed. */
export function ParameterType({ entry: { parameter } }: { readonly entry: ParameterEntry }) {
  return (
    <span class="hint">
      <SchemaType schema={parameter.schema} />,{' '}
      {parameter.required === true ? 'obligatorio' : 'opcional'}
      {parameter.in === 'header' && ', encabezado del pedido'}
    </span>
  );
}

/** What a parameter means, and its allowed values. */
export function ParameterText({ entry: { parameter } }: { readonly entry: ParameterEntry }) {
  return (
    <>
      <Prose text={parameter.description ?? ''} />
      <Constraints schema={parameter.schema} />
    </>
  );
}

/** A media type of a response, with its schema and its examples. */
export function Examples({ type, part }: { readonly type: string; readonly part: MediaPart }) {
  return (
    <div class="stack gap-3">
      <p class="small">
        <code>{type}</code>
        {part.schema !== undefined && (
          <>
            {': '}
            <SchemaType schema={part.schema} />
          </>
        )}
      </p>
      {examplesOf(part).map(({ title, value }) => (
        <details key={title}>
          <summary>{plainText(title)}</summary>
          <pre
            class="body mono"
            tabIndex={0}
            role="region"
            aria-label={`Ejemplo: ${plainText(title)}`}
          >
            {typeof value === 'string' ? (
              value
            ) : (
              <JsonText text={JSON.stringify(value, undefined, 2)} />
            )}
          </pre>
        </details>
      ))}
    </div>
  );
}
