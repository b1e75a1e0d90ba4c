import { useComputed } from '@preact/signals';

import { route } from '../places/location.ts';
import { formatRoute } from '../places/route.ts';
import { AnchorLink, Card, Definition } from './parts.tsx';
import { headerAnchor, type OperationEntry, type ResponseEntry } from './openapi.ts';
import { Prose } from './marked-text.ts';
import { Examples, ParameterText, ParameterType } from './schema.tsx';
import { Trial } from './trial.tsx';

/** One operation: its parameters, its responses, and the form that the address opens. */
export function OperationSection({ entry }: { readonly entry: OperationEntry }) {
  const { anchor, path, operation, responses, isTried } = entry;
  return (
    <Card anchor={anchor} name={path} title={operation.summary}>
      <p class="request-line mono">
        <span class="method">GET</span> {path}
      </p>
      <p class="muted">
        {operation.security?.length === 0 ? 'No requiere clave.' : 'Requiere la clave de acceso.'}
      </p>
      <Prose text={operation.description ?? ''} />
      {isTried ? <Parameters entry={entry} /> : <ParameterList entry={entry} />}
      <h4>Respuestas</h4>
      <dl class="ref-fields stack gap-6">
        {responses.map((response) => (
          <Response key={response.status} entry={response} />
        ))}
      </dl>
    </Card>
  );
}

/** The parameters as text, or as the form of the operation that the address names. */
function Parameters({ entry }: { readonly entry: OperationEntry }) {
  const isOpen = useComputed(() => {
    const place = route.value;
    return place.page === 'api' && place.anchor?.split('.')[0] === entry.anchor;
  });
  if (isOpen.value) return <Trial entry={entry} />;
  return (
    <>
      <p>
        <a
          class="button button-small"
          href={formatRoute({ page: 'api', anchor: entry.anchor, values: {} })}
          aria-label={`Probar ${entry.path}`}
        >
          Probar
        </a>
      </p>
      <ParameterList entry={entry} />
    </>
  );
}

function ParameterList({ entry: { path, parameters } }: { readonly entry: OperationEntry }) {
  if (parameters.length === 0) return null;
  return (
    <>
      <h4>Parámetros</h4>
      <dl class="ref-fields stack gap-6">
        {parameters.map((one) => (
          <Definition
            key={one.anchor}
            anchor={one.anchor}
            name={`${path} ${one.parameter.name}`}
            title={
              <>
                <span class="mono">{one.parameter.name}</span> <ParameterType entry={one} />
              </>
            }
          >
            <ParameterText entry={one} />
          </Definition>
        ))}
      </dl>
    </>
  );
}

function Response({
  entry: { status, sharedAnchor, response },
}: {
  readonly entry: ResponseEntry;
}) {
  // The responses that operations share are described once, in the section of the errors.
  const { headers = {}, content = {} } = sharedAnchor === undefined ? response : {};
  return (
    <div>
      <dt>
        <span class={`badge status-${status.slice(0, 1)}`}>{status}</span>{' '}
        {sharedAnchor !== undefined && (
          <AnchorLink anchor={sharedAnchor} class="mono">
            {sharedAnchor}
          </AnchorLink>
        )}
      </dt>
      <dd>
        <Prose text={response.description} />
        {Object.keys(headers).length > 0 && (
          <p class="small">
            Encabezados:{' '}
            {Object.keys(headers).map((name, at) => (
              <span key={name}>
                {at > 0 && ', '}
                <AnchorLink anchor={headerAnchor(name)} class="mono">
                  {name}
                </AnchorLink>
              </span>
            ))}
          </p>
        )}
        {Object.entries(content).map(([type, media]) => (
          <Examples key={type} type={type} part={media} />
        ))}
      </dd>
    </div>
  );
}
