import { useEffect, useMemo } from 'preact/hooks';

import { operations } from '../market/contract.ts';
import { isFirstLookOver } from '../market/health-watch.ts';
import { formatRoute } from '../places/route.ts';
import { isSmall } from '../ui/screen-size.ts';
import { Prose } from '../ui/text/prose.tsx';
import { AnchorLink, OwnLink, idOf, showAnchor } from './anchor-link.tsx';
import { Examples } from './examples.tsx';
import { OperationSection } from './operation-section.tsx';
import { referenceOf, type Reference } from './reference-model.ts';
import type { ReferenceDocument } from './reference-document.ts';
import { Constraints, SchemaType } from './schema-type.tsx';
import { terms } from './terms.ts';

/** The sections after the operations. */
const sections = [
  { anchor: 'errores', name: 'Errores' },
  { anchor: 'encabezados', name: 'Encabezados' },
  { anchor: 'esquemas', name: 'Esquemas y campos' },
  { anchor: 'glosario', name: 'Glosario' },
] as const;

/** The whole contract as one page, in which every path, field, header and term has an address. */
export function ReferenceView({
  document: contract,
  anchor,
}: {
  readonly document: ReferenceDocument;
  readonly anchor: string | undefined;
}) {
  const reference = useMemo(() => referenceOf(contract), [contract]);
  // Until the first look is over, the page is hidden, and a hidden part cannot have the focus.
  const isShown = isFirstLookOver.value;
  useEffect(() => {
    if (anchor === undefined || !isShown) return undefined;
    // The banner above the page appears with it. `--top` has the height of both after the next frame.
    let frame = requestAnimationFrame(() => {
      frame = requestAnimationFrame(() => showAnchor(anchor));
    });
    return () => cancelAnimationFrame(frame);
  }, [anchor, isShown]);
  // The contract changes only when the page is loaded again.
  const content = useMemo(
    () => <Content contract={contract} reference={reference} />,
    [contract, reference],
  );
  return <div class="reference">{content}</div>;
}

function Content({
  contract,
  reference,
}: {
  readonly contract: ReferenceDocument;
  readonly reference: Reference;
}) {
  const tried = new Set(operations.value.map(({ id }) => id));
  return (
    <>
      <Contents reference={reference} />
      <div class="reference-body">
        <h1>{contract.info.title}</h1>
        <p class="muted">
          Versión {contract.info.version}. Para programas: <a href="openapi.json">openapi.json</a>.{' '}
          <a href={formatRoute({ page: 'try', values: {} })}>Probar la API</a>.{' '}
          <a href="THIRD-PARTY-NOTICES.txt">Licencias del software de terceros</a>.
        </p>
        <section class="card" aria-label="Introducción">
          <Prose text={contract.info.description} />
        </section>
        {reference.groups.map((group) => (
          <section key={group.name} class="ref-group" aria-label={group.name}>
            <h2>{group.name}</h2>
            <Prose text={group.description} />
            {group.operations.map((entry) => (
              <OperationSection
                key={entry.anchor}
                entry={entry}
                isTried={tried.has(entry.anchor)}
              />
            ))}
          </section>
        ))}
        <Errors reference={reference} />
        <Headers reference={reference} />
        <Schemas reference={reference} />
        <Glossary />
      </div>
    </>
  );
}

/** A value of an example as text. */
function textOf(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}

/** The contents. On a small screen they are folded, so that the page begins with its text. */
function Contents({ reference }: { readonly reference: Reference }) {
  if (!isSmall.value) return <ContentLinks reference={reference} />;
  return (
    <details class="ref-index">
      <summary>Índice</summary>
      <ContentLinks reference={reference} />
    </details>
  );
}

function ContentLinks({ reference }: { readonly reference: Reference }) {
  return (
    <nav class="reference-contents" aria-label="Contenido de la referencia">
      {reference.groups.map(({ name, operations: entries }) => (
        <div key={name}>
          <p class="ref-contents-title">{name}</p>
          {entries.map(({ anchor, path }) => (
            <AnchorLink key={anchor} anchor={anchor} class="mono">
              {path}
            </AnchorLink>
          ))}
        </div>
      ))}
      <div>
        <p class="ref-contents-title">Además</p>
        {sections.map(({ anchor, name }) => (
          <AnchorLink key={anchor} anchor={anchor}>
            {name}
          </AnchorLink>
        ))}
      </div>
    </nav>
  );
}

function Title({ index }: { readonly index: number }) {
  const { anchor, name } = sections[index] ?? sections[0];
  return (
    <h2 id={idOf(anchor)} tabIndex={-1}>
      {name} <OwnLink anchor={anchor} of={name} />
    </h2>
  );
}

function Errors({ reference }: { readonly reference: Reference }) {
  return (
    <section class="ref-group" aria-label="Errores">
      <Title index={0} />
      {reference.errors.map(({ anchor, statuses, response }) => (
        <div key={anchor} id={idOf(anchor)} tabIndex={-1} class="card ref-entry">
          <h3>
            {statuses.join(', ')} <span class="mono">{anchor}</span>{' '}
            <OwnLink anchor={anchor} of={anchor} />
          </h3>
          <Prose text={response.description} />
          {Object.entries(response.content ?? {}).map(([type, media]) => (
            <Examples key={type} type={type} part={media} />
          ))}
        </div>
      ))}
    </section>
  );
}

function Headers({ reference }: { readonly reference: Reference }) {
  return (
    <section class="ref-group" aria-label="Encabezados">
      <Title index={1} />
      <dl class="card ref-fields">
        {reference.headers.map(({ anchor, name, header }) => (
          <div key={anchor} id={idOf(anchor)} tabIndex={-1}>
            <dt>
              <span class="mono">{name}</span> <OwnLink anchor={anchor} of={name} />
            </dt>
            <dd>
              <Prose text={header.description ?? ''} />
              {header.schema !== undefined && <Constraints schema={header.schema} />}
              {header.example !== undefined && (
                <p class="ref-values">
                  Ejemplo: <code>{textOf(header.example)}</code>
                </p>
              )}
            </dd>
          </div>
        ))}
      </dl>
    </section>
  );
}

function Schemas({ reference }: { readonly reference: Reference }) {
  return (
    <section class="ref-group" aria-label="Esquemas y campos">
      <Title index={2} />
      {reference.schemas.map(({ anchor, name, schema, fields }) => (
        <div key={anchor} id={idOf(anchor)} tabIndex={-1} class="card ref-entry">
          <h3>
            <span class="mono">{name}</span> <OwnLink anchor={anchor} of={name} />
          </h3>
          <p class="muted">
            <SchemaType schema={schema} />
          </p>
          <Prose text={schema.description ?? ''} />
          <Constraints schema={schema} />
          {fields.length > 0 && (
            <dl class="ref-fields">
              {fields.map((field) => (
                <div key={field.anchor} id={idOf(field.anchor)} tabIndex={-1}>
                  <dt>
                    <span class="mono">{field.name}</span>{' '}
                    <span class="muted">
                      <SchemaType schema={field.schema} />
                      {field.isRequired ? '' : ', opcional'}
                    </span>{' '}
                    <OwnLink anchor={field.anchor} of={field.anchor} />
                  </dt>
                  <dd>
                    <Prose text={field.schema.description ?? ''} />
                    <Constraints schema={field.schema.items ?? field.schema} />
                  </dd>
                </div>
              ))}
            </dl>
          )}
        </div>
      ))}
    </section>
  );
}

function Glossary() {
  return (
    <section class="ref-group" aria-label="Glosario">
      <Title index={3} />
      <dl class="card ref-fields">
        {terms.map(({ anchor, name, meaning }) => (
          <div key={anchor} id={idOf(anchor)} tabIndex={-1}>
            <dt>
              {name} <OwnLink anchor={anchor} of={name} />
            </dt>
            <dd>{meaning}</dd>
          </div>
        ))}
      </dl>
    </section>
  );
}
