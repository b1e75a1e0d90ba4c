import { signal } from '@preact/signals';
import { useEffect, useMemo } from 'preact/hooks';

import { apiKey, isKeyDialogOpen, maskKey } from '../key/api-key.ts';
import { serviceUrl } from '../market/api/early.ts';
import { fetchJson } from '../market/api/service.ts';
import { isFirstLookOver } from '../market/health-watch.ts';
import styles from '../styles/api.css?inline';
import { Button } from '../ui/button.tsx';
import { CopyButton } from '../ui/copy-button.tsx';
import { addStyles } from '../ui/screen/add-styles.ts';
import { isSmall } from '../ui/screen-size.ts';
import { usePageTitle } from '../ui/use-page-title.ts';
import { AnchorLink, Card, Definition, Section, showAnchor } from './parts.tsx';
import { operationsOf, referenceOf, type OpenapiDocument, type Reference } from './openapi.ts';
import { OperationSection } from './operation.tsx';
import { Prose } from './marked-text.ts';
import { Constraints, Examples, SchemaType } from './schema.tsx';
import { curl } from './snippets.ts';
import { terms } from './terms.ts';
import { withCsv } from './with-csv.ts';

addStyles(styles);

/** The whole contract, with CSV in its operations. Undefined until it is loaded. */
const contract = signal<OpenapiDocument | undefined>(undefined);
/** Whether the contract is not loaded because the service does not respond. */
const isContractLate = signal(false);
void readContract();

function onFailure(): void {
  isContractLate.value = true;
}

async function readContract(): Promise<void> {
  const outcome = await fetchJson<OpenapiDocument>('/openapi.json', { isPublic: true, onFailure });
  if (outcome.ok) contract.value = withCsv(outcome.value);
}

/** The sections after the operations, and what each shows. */
const sections = [
  { anchor: 'errores', name: 'Errores', Content: Errors },
  { anchor: 'encabezados', name: 'Encabezados', Content: Headers },
  { anchor: 'esquemas', name: 'Esquemas y campos', Content: Schemas },
  { anchor: 'glosario', name: 'Glosario', Content: Glossary },
];

/**
 * The API on one page: the key, three requests to copy, and the whole contract, in which every path, field,
 * header and term has an address, and every operation a form.
 */
export function ApiPage({ anchor }: { readonly anchor: string | undefined }) {
  const document = contract.value;
  const tried = useMemo(() => (document === undefined ? [] : operationsOf(document)), [document]);
  const path = tried.find((one) => one.anchor === anchor)?.path;
  usePageTitle(path === undefined ? 'API' : `API: ${path}`);
  // Until the first look is over, the page is hidden, and a hidden part cannot have the focus.
  const isShown = isFirstLookOver.value && document !== undefined;
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
    () => document && <Content document={document} reference={referenceOf(document)} />,
    [document],
  );
  return content === undefined ? (
    <p class="muted page page-narrow">
      {isContractLate.value
        ? 'El servicio no responde. El contrato se carga al reconectar.'
        : 'Cargando el contrato…'}
    </p>
  ) : (
    <div class="reference page">{content}</div>
  );
}

function Content({
  document,
  reference,
}: {
  readonly document: OpenapiDocument;
  readonly reference: Reference;
}) {
  return (
    <>
      <Contents reference={reference} />
      <div class="reference-body stack gap-6">
        <h1>{document.info.title}</h1>
        <p class="muted">
          Versión {document.info.version}. Para programas: <a href="openapi.json">openapi.json</a>.{' '}
          <a href="THIRD-PARTY-NOTICES.txt">Licencias del software de terceros</a>.
        </p>
        <Start />
        <section class="panel card stack gap-6" aria-label="Introducción">
          <Prose text={document.info.description} />
        </section>
        {reference.groups.map((group) => (
          <section key={group.name} class="ref-group stack gap-6" aria-label={group.name}>
            <h2>{group.name}</h2>
            <Prose text={group.description} />
            {group.operations.map((entry) => (
              <OperationSection key={entry.anchor} entry={entry} />
            ))}
          </section>
        ))}
        {sections.map(({ anchor, name, Content: Parts }) => (
          <Section key={anchor} anchor={anchor} name={name}>
            <Parts reference={reference} />
          </Section>
        ))}
      </div>
    </>
  );
}

/** The first requests of a new client. */
const firstRequests = [
  { title: 'El precio de dos especies', query: '/cotizaciones?especie=GGAL,AL30' },
  {
    title: 'Los cierres de un año',
    query: '/historicos?especie=GGAL&desde=2025-01-01&hasta=2025-12-31',
  },
  {
    title: 'Un panel para una planilla',
    query: '/cotizaciones?panel=LID&formato=csv&decimal=coma',
  },
];

/** The key, and requests that work as they are. */
function Start() {
  const key = apiKey.value;
  return (
    <section class="panel card stack gap-6" aria-labelledby="start-title">
      <h2 id="start-title">Empezar</h2>
      <div class="bar">
        <span>Clave: {key === undefined ? 'ninguna' : <code>{maskKey(key)}</code>}</span>
        {key !== undefined && <CopyButton text={() => key} label="Copiar la clave" />}
        <Button look="small" onClick={() => (isKeyDialogOpen.value = true)}>
          {key === undefined ? 'Ingresar la clave' : 'Cambiar la clave'}
        </Button>
      </div>
      {firstRequests.map(({ title, query }) => {
        const text = curl({ url: serviceUrl(query), key: undefined });
        return (
          <div key={query} class="first-request beside gap-3">
            <p>{title}</p>
            <pre class="snippet mono" tabIndex={0} role="region" aria-label={title}>
              {text}
            </pre>
            <CopyButton text={() => text} title={`Copiar: ${title}`} />
          </div>
        );
      })}
      <p class="hint">
        Leen la clave de la variable de entorno <code>PIZARRA_KEY</code>. «Probar», en cada
        operación, arma otros pedidos y los da también para TypeScript, Python y planillas.
      </p>
    </section>
  );
}

/** The contents. On a small screen they are folded, so that the page begins with its text. */
function Contents({ reference }: { readonly reference: Reference }) {
  if (!isSmall.value) return <ContentLinks reference={reference} />;
  return (
    <details>
      <summary>Índice</summary>
      <ContentLinks reference={reference} />
    </details>
  );
}

function ContentLinks({ reference }: { readonly reference: Reference }) {
  return (
    <nav
      class="reference-contents screen-only choices stack gap-6"
      aria-label="Contenido de la referencia"
    >
      {reference.groups.map(({ name, operations: entries }) => (
        <div key={name}>
          <p class="hint">{name}</p>
          {entries.map(({ anchor, path }) => (
            <AnchorLink key={anchor} anchor={anchor} class="mono">
              {path}
            </AnchorLink>
          ))}
        </div>
      ))}
      <div>
        <p class="hint">Además</p>
        {sections.map(({ anchor, name }) => (
          <AnchorLink key={anchor} anchor={anchor}>
            {name}
          </AnchorLink>
        ))}
      </div>
    </nav>
  );
}

interface PartProps {
  readonly reference: Reference;
}

function Errors({ reference }: PartProps) {
  return reference.errors.map(({ anchor, statuses, response }) => (
    <Card
      key={anchor}
      anchor={anchor}
      name={anchor}
      title={
        <>
          {statuses.join(', ')} <span class="mono">{anchor}</span>
        </>
      }
    >
      <Prose text={response.description} />
      {Object.entries(response.content ?? {}).map(([type, media]) => (
        <Examples key={type} type={type} part={media} />
      ))}
    </Card>
  ));
}

function Headers({ reference }: PartProps) {
  return (
    <dl class="panel card ref-fields stack gap-6">
      {reference.headers.map(({ anchor, name, header: { description = '', schema, example } }) => (
        <Definition key={anchor} anchor={anchor} name={name}>
          <Prose text={description} />
          {schema !== undefined && <Constraints schema={schema} />}
          {example !== undefined && (
            <p class="small">
              Ejemplo:{' '}
              <code>{typeof example === 'string' ? example : JSON.stringify(example)}</code>
            </p>
          )}
        </Definition>
      ))}
    </dl>
  );
}

function Schemas({ reference }: PartProps) {
  return reference.schemas.map(({ anchor, name, schema, fields }) => (
    <Card key={anchor} anchor={anchor} name={name} title={<span class="mono">{name}</span>}>
      <p class="muted">
        <SchemaType schema={schema} />
      </p>
      <Prose text={schema.description ?? ''} />
      <Constraints schema={schema} />
      {fields.length > 0 && (
        <dl class="ref-fields stack gap-6">
          {fields.map((field) => (
            <Definition
              key={field.anchor}
              anchor={field.anchor}
              name={field.anchor}
              title={
                <>
                  <span class="mono">{field.name}</span>{' '}
                  <span class="hint">
                    <SchemaType schema={field.schema} />
                    {field.isRequired ? '' : ', opcional'}
                  </span>
                </>
              }
            >
              <Prose text={field.schema.description ?? ''} />
              <Constraints schema={field.schema.items ?? field.schema} />
            </Definition>
          ))}
        </dl>
      )}
    </Card>
  ));
}

function Glossary() {
  return (
    <dl class="panel card ref-fields stack gap-6">
      {terms.map(({ anchor, name, meaning }) => (
        <Definition key={anchor} anchor={anchor} name={name} title={name}>
          {meaning}
        </Definition>
      ))}
    </dl>
  );
}
