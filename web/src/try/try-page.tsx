import type { Operation } from '../market/api/openapi.ts';
import { apiKey, isKeyDialogOpen } from '../key/api-key.ts';
import { serviceUrl } from '../market/api/service-request.ts';
import { operations } from '../market/contract.ts';
import { formatRoute, type Route } from '../places/route.ts';
import { goTo, replaceRoute } from '../places/location.ts';
import { Prose } from '../ui/text/prose.tsx';
import { isSmall } from '../ui/screen-size.ts';
import { usePageTitle } from '../ui/use-page-title.ts';
import { AnswerView } from './answer-view.tsx';
import { ParameterField } from './parameter-field.tsx';
import { SnippetTabs } from './snippet-tabs.tsx';
import { FormatChoice, formatParameters } from './format-choice.tsx';
import { requestUrl } from './try-request.ts';
import { useTrial } from './use-trial.ts';

/** The form, which the button beside the URL submits. */
const formId = 'try-form';

type TryPlace = Extract<Route, { readonly page: 'try' }>;

/** Lets the user try the operations of the contract. All their data come from `openapi.json`. */
export function TryPage({ place }: { readonly place: TryPlace }) {
  const all = operations.value;
  const operation = all.find(({ id }) => id === place.operation) ?? all[0];
  usePageTitle(operation === undefined ? 'Probar' : `Probar ${operation.path}`);
  if (operation === undefined) return <p class="muted page-note">Cargando el contrato…</p>;
  return (
    <div class="try-page">
      <nav class="try-operations" aria-label="Operaciones">
        <h1>Probar la API</h1>
        {isSmall.value ? (
          <OperationChoice all={all} chosen={operation} />
        ) : (
          all.map(({ id, path, summary }) => (
            <a
              key={id}
              href={formatRoute({ page: 'try', operation: id, values: {} })}
              aria-current={id === operation.id ? 'page' : undefined}
            >
              <span class="mono">
                <span class="method">GET</span> {path}
              </span>
              <span class="muted">{summary}</span>
            </a>
          ))
        )}
        <p class="hint">
          La descripción completa está en la <a href="#/referencia">referencia</a> y, para
          programas, en <a href="openapi.json">openapi.json</a>.
        </p>
      </nav>
      <OperationTrial key={operation.id} operation={operation} values={place.values} />
    </div>
  );
}

/** The operations as one field, so that the form of the chosen one is at hand on a small screen. */
function OperationChoice({
  all,
  chosen,
}: {
  readonly all: readonly Operation[];
  readonly chosen: Operation;
}) {
  return (
    <label class="field">
      <span>Operación</span>
      <select
        class="input"
        value={chosen.id}
        onChange={(event) =>
          goTo({ page: 'try', operation: event.currentTarget.value, values: {} })
        }
      >
        {all.map(({ id, path, summary }) => (
          <option key={id} value={id}>
            {path}: {summary}
          </option>
        ))}
      </select>
    </label>
  );
}

function OperationTrial({
  operation,
  values,
}: {
  readonly operation: Operation;
  readonly values: Readonly<Record<string, string>>;
}) {
  const url = requestUrl(operation, values);
  const fill = (changes: Readonly<Record<string, string>>) => {
    const filled = Object.entries({ ...values, ...changes }).filter(([, value]) => value !== '');
    replaceRoute({ page: 'try', operation: operation.id, values: Object.fromEntries(filled) });
  };
  const trial = useTrial(operation.isStream);
  const examples = operation.parameters.filter(({ isRequired }, at) => isRequired || at === 0);
  const shown = operation.parameters.filter(
    ({ name }) => !(operation.isTable && formatParameters.includes(name)),
  );
  return (
    <div class="try-trial">
      <section class="card try-request" aria-label="Pedido">
        <p class="request-line mono" tabIndex={0} role="region" aria-label="URL exacta">
          <span class="method">GET</span> <span class="request-url">{url}</span>
        </p>
        <div class="try-actions">
          <button
            type="submit"
            form={formId}
            class={`button button-primary ${operation.isStream ? 'stream-button' : ''}`}
            disabled={trial.isBusy}
          >
            {operation.isStream ? 'Conectar' : 'Enviar'}
          </button>
          {operation.isStream && (
            <button
              type="button"
              class="button stream-button"
              disabled={!trial.isBusy}
              onClick={trial.stop}
            >
              Detener
            </button>
          )}
          <button
            type="button"
            class="button"
            onClick={() =>
              fill(Object.fromEntries(examples.map(({ name, example }) => [name, example])))
            }
          >
            Completar con un ejemplo
          </button>
          <KeyNote />
        </div>
      </section>
      <section class="card try-operation" aria-labelledby="operation-title">
        <h2 id="operation-title">{operation.summary}</h2>
        <form
          id={formId}
          class="try-form"
          onSubmit={(event) => {
            event.preventDefault();
            trial.start(url);
          }}
        >
          {operation.isTable && <FormatChoice values={values} onChange={fill} />}
          {shown.map((parameter) => (
            <ParameterField
              key={parameter.name}
              parameter={parameter}
              value={values[parameter.name] ?? ''}
              onChange={(value) => fill({ [parameter.name]: value })}
            />
          ))}
        </form>
        <Prose text={operation.description} />
      </section>
      <div class="try-side">
        <AnswerView answer={trial.answer} isBusy={trial.isBusy} />
        <SnippetTabs
          url={url}
          service={serviceUrl('').replace(/\/$/, '')}
          path={operation.path}
          parameters={operation.parameters.flatMap(({ name, isList }) => {
            const value = values[name] ?? '';
            return value === '' ? [] : [{ name, value, isList }];
          })}
          fields={operation.fields}
          isTable={operation.isTable}
          csvSeparator={csvSeparatorOf(values)}
          isStream={operation.isStream}
        />
      </div>
    </div>
  );
}

/** The separator of the fields of a CSV; undefined unless the query requests one. */
function csvSeparatorOf(values: Readonly<Record<string, string>>): ',' | ';' | undefined {
  if (values['formato'] !== 'csv') return undefined;
  return values['decimal'] === 'coma' ? ';' : ',';
}

function KeyNote() {
  if (apiKey.value !== undefined)
    return <span class="hint roomy-only">Se usa la clave ingresada.</span>;
  return (
    <span class="hint">
      Sin clave: la respuesta será 401.{' '}
      <button
        type="button"
        class="link-button"
        onClick={() => {
          isKeyDialogOpen.value = true;
        }}
      >
        Ingresar la clave
      </button>
    </span>
  );
}
