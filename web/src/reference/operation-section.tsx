import { formatRoute } from '../places/route.ts';
import { Prose } from '../ui/text/prose.tsx';
import { AnchorLink, OwnLink, idOf } from './anchor-link.tsx';
import { Examples } from './examples.tsx';
import type { OperationEntry, ResponseEntry } from './reference-model.ts';
import { Constraints, SchemaType } from './schema-type.tsx';

/** One operation: its parameters, its responses, and the link to try it. */
export function OperationSection({
  entry,
  isTried,
}: {
  readonly entry: OperationEntry;
  /** Whether the page "Probar" has the operation. */
  readonly isTried: boolean;
}) {
  const { anchor, path, operation, parameters, responses } = entry;
  return (
    <div id={idOf(anchor)} tabIndex={-1} class="card ref-entry">
      <div class="ref-head">
        <h3>
          {operation.summary} <OwnLink anchor={anchor} of={path} />
        </h3>
        {isTried && (
          <a
            class="button button-small"
            href={formatRoute({ page: 'try', operation: anchor, values: {} })}
            aria-label={`Probar ${path}`}
          >
            Probar
          </a>
        )}
      </div>
      <p class="request-line mono">
        <span class="method">GET</span> <span class="request-url">{path}</span>
      </p>
      <p class="muted">
        {operation.security?.length === 0 ? 'No requiere clave.' : 'Requiere la clave de acceso.'}
      </p>
      <Prose text={operation.description ?? ''} />
      {parameters.length > 0 && (
        <>
          <h4>Parámetros</h4>
          <dl class="ref-fields">
            {parameters.map(({ anchor: own, parameter }) => (
              <div key={own} id={idOf(own)} tabIndex={-1}>
                <dt>
                  <span class="mono">{parameter.name}</span>{' '}
                  <span class="muted">
                    <SchemaType schema={parameter.schema} />,{' '}
                    {parameter.required === true ? 'obligatorio' : 'opcional'}
                    {parameter.in === 'header' && ', encabezado del pedido'}
                  </span>{' '}
                  <OwnLink anchor={own} of={`${path} ${parameter.name}`} />
                </dt>
                <dd>
                  <Prose text={parameter.description ?? ''} />
                  <Constraints schema={parameter.schema} />
                </dd>
              </div>
            ))}
          </dl>
        </>
      )}
      <h4>Respuestas</h4>
      <dl class="ref-fields">
        {responses.map((response) => (
          <Response key={response.status} entry={response} />
        ))}
      </dl>
    </div>
  );
}

function Response({ entry }: { readonly entry: ResponseEntry }) {
  const { status, sharedAnchor, response } = entry;
  const headers = Object.keys(response.headers ?? {});
  return (
    <div>
      <dt>
        <span class={`status status-${status.slice(0, 1)}`}>{status}</span>
        {sharedAnchor !== undefined && (
          <>
            {' '}
            <AnchorLink anchor={sharedAnchor} class="mono">
              {sharedAnchor}
            </AnchorLink>
          </>
        )}
      </dt>
      <dd>
        <Prose text={response.description} />
        {sharedAnchor === undefined && headers.length > 0 && (
          <p class="ref-values">
            Encabezados:{' '}
            {headers.map((name, at) => (
              <span key={name}>
                {at > 0 && ', '}
                <AnchorLink anchor={name} class="mono">
                  {name}
                </AnchorLink>
              </span>
            ))}
          </p>
        )}
        {sharedAnchor === undefined &&
          Object.entries(response.content ?? {}).map(([type, media]) => (
            <Examples key={type} type={type} part={media} />
          ))}
      </dd>
    </div>
  );
}
