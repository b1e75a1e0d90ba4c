import { useSignal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';

import { apiKey, isKeyDialogOpen, maskKey } from '../key/api-key.ts';
import { serviceUrl } from '../market/api/early.ts';
import { replaceRoute, route } from '../places/location.ts';
import { Button } from '../ui/button.tsx';
import { Check } from '../ui/check.tsx';
import { CopyButton } from '../ui/copy-button.tsx';
import { Segments } from '../ui/segments.tsx';
import { Select } from '../ui/select.tsx';
import { idOf } from './parts.tsx';
import { AnswerView } from './answer.tsx';
import type { OperationEntry, ParameterEntry } from './openapi.ts';
import { listOf, shownAs, withChoice } from './parameter-values.ts';
import { ParameterText, ParameterType } from './schema.tsx';
import { requestUrl, send, type Answer } from './send.ts';
import { snippetsOf, type Snippet, type SnippetRequest } from './snippets.ts';

/** The values of the form, by the names of the parameters. */
type Values = Readonly<Record<string, string>>;

/** The form of an operation, whose values are in the address, with the response and the request as code. */
export function Trial({ entry }: { readonly entry: OperationEntry }) {
  const place = route.value;
  const values: Values = place.page === 'api' ? place.values : {};
  const parameters = entry.parameters.filter(({ parameter }) => parameter.in === 'query');
  const url = requestUrl({ ...entry, parameters }, values);
  const fill = (changes: Values) => {
    const filled = Object.entries({ ...values, ...changes }).filter(([, value]) => value !== '');
    replaceRoute({ page: 'api', anchor: entry.anchor, values: Object.fromEntries(filled) });
  };
  const example = Object.fromEntries(
    parameters
      .filter(({ parameter }, at) => parameter.required === true || at === 0)
      .map((one) => [one.parameter.name, one.example]),
  );
  const { answer, isBusy, start, stop } = useTrial(entry.isStream);
  return (
    <form
      class="trial screen-only stack gap-6"
      aria-label={`Probar ${entry.path}`}
      onSubmit={(event) => {
        event.preventDefault();
        start(url);
      }}
    >
      <div class="trial-fields ref-fields stack gap-6">
        {parameters.map((one) => {
          const { name } = one.parameter;
          return (
            <div key={name} id={idOf(one.anchor)} class="field stack gap-2" tabIndex={-1}>
              <p>
                <label for={`param-${name}`} class="mono">
                  {name}
                </label>{' '}
                <ParameterType entry={one} />
              </p>
              <ParameterField
                entry={one}
                value={values[name] ?? ''}
                onChange={(value) => fill({ [name]: value })}
              />
              <ParameterText entry={one} />
            </div>
          );
        })}
      </div>
      <div class="trial-side stack gap-6">
        <p class="request-line mono" tabIndex={0} role="region" aria-label="URL exacta">
          <span class="method">GET</span> {url}
        </p>
        <div class="bar">
          <Button type="submit" look="primary" disabled={isBusy}>
            {entry.isStream ? 'Conectar' : 'Enviar'}
          </Button>
          {entry.isStream && (
            <Button disabled={!isBusy} onClick={stop}>
              Detener
            </Button>
          )}
          <Button onClick={() => fill(example)}>Completar con un ejemplo</Button>
          <KeyNote />
        </div>
        {(answer !== undefined || isBusy) && <AnswerView answer={answer} isBusy={isBusy} />}
        <Snippets
          url={url}
          service={serviceUrl('').replace(/\/$/, '')}
          path={entry.path}
          parameters={parameters.flatMap(({ parameter: { name }, isList }) => {
            const value = values[name] ?? '';
            return value === '' ? [] : [{ name, value, isList }];
          })}
          fields={entry.fields}
          isTable={entry.isTable}
          csvSeparator={csvSeparatorOf(values)}
          isStream={entry.isStream}
        />
      </div>
    </form>
  );
}

interface FieldProps {
  readonly entry: ParameterEntry;
  readonly value: string;
  readonly onChange: (value: string) => void;
}

/**
 * The control of a parameter. A value of the address that the contract does not allow is shown and sent: a
 * user may want to try one, and the service explains its error better than a form.
 */
function ParameterField(props: FieldProps) {
  const { entry, value, onChange } = props;
  const { choices, example } = entry;
  const { name } = entry.parameter;
  const kind = shownAs(entry, value);
  if (kind === 'checks') return <Checks {...props} />;
  const id = `param-${name}`;
  if (kind === 'select') {
    const isUnknown = value !== '' && !choices.some((choice) => choice.value === value);
    return (
      <Select
        id={id}
        class="mono"
        choices={[
          { value: '', name: 'Sin valor' },
          ...(isUnknown ? [{ value, name: `${value} (no es del contrato)` }] : []),
          ...choices.map((choice) => ({
            value: choice.value,
            name: choice.name === choice.value ? choice.value : `${choice.value}: ${choice.name}`,
          })),
        ]}
        chosen={value}
        onChoose={onChange}
      />
    );
  }
  const input = {
    id,
    class: 'input mono',
    name,
    value,
    autocomplete: 'off',
    onInput: (event: { readonly currentTarget: HTMLInputElement }) =>
      onChange(event.currentTarget.value),
  };
  if (kind === 'date') return <input {...input} type="date" />;
  return (
    <input {...input} type="text" autocapitalize="off" spellcheck={false} placeholder={example} />
  );
}

function Checks({ entry, value, onChange }: FieldProps) {
  const chosen = listOf(value);
  return (
    <div class="bar" role="group" aria-label={entry.parameter.name}>
      {entry.choices.map((choice) => (
        <Check
          key={choice.value}
          checked={chosen.includes(choice.value)}
          onCheck={(isOn) => onChange(withChoice(value, { choice: choice.value, isOn }))}
        >
          <span class="mono">{choice.name}</span>
        </Check>
      ))}
    </div>
  );
}

/** Sends requests of one operation. The latest one ends when the form is closed. */
function useTrial(isStream: boolean) {
  const answer = useSignal<Answer | undefined>(undefined);
  const isBusy = useSignal(false);
  const sent = useRef<AbortController>(undefined);
  const stop = () => sent.current?.abort();
  const report = (next: Answer) => {
    answer.value = next;
  };
  useEffect(() => stop, []);
  const start = async (url: string) => {
    const { signal } = (sent.current = new AbortController());
    isBusy.value = true;
    await send(url, { key: apiKey.value, isStream, signal, report });
    isBusy.value = false;
  };
  return {
    answer: answer.value,
    isBusy: isBusy.value,
    start: (url: string) => void start(url),
    stop,
  };
}

/** The separator of the fields of a CSV; undefined unless the query requests one. */
function csvSeparatorOf(values: Values): ',' | ';' | undefined {
  if (values['formato'] !== 'csv') return undefined;
  return values['decimal'] === 'coma' ? ';' : ',';
}

function KeyNote() {
  if (apiKey.value !== undefined) return <span class="hint">Se usa la clave ingresada.</span>;
  return (
    <span class="hint">
      Sin clave: la respuesta será 401.{' '}
      <Button look="link" onClick={() => (isKeyDialogOpen.value = true)}>
        Ingresar la clave
      </Button>
    </span>
  );
}

/**
 * The same request as code to copy. It contains the key only if the user asks for it. Then the screen
 * shows a masked key, and the copy contains the whole key.
 */
function Snippets(request: Omit<SnippetRequest, 'key'>) {
  const chosen = useSignal<Snippet['id']>('curl');
  const isWithKey = useSignal(false);
  const key = isWithKey.value ? apiKey.value : undefined;
  const shown = snippetsOf({ ...request, key: key === undefined ? undefined : maskKey(key) });
  const snippet = shown.find(({ id }) => id === chosen.value) ?? shown[0];
  const copied = () =>
    snippetsOf({ ...request, key }).find(({ id }) => id === snippet?.id)?.text ?? '';
  return (
    <section class="answer stack gap-5" aria-label="El mismo pedido en código">
      <div class="bar">
        <Segments
          label="Lenguaje"
          choices={shown.map(({ id, title }) => ({ value: id, name: title }))}
          chosen={snippet?.id ?? 'curl'}
          onChoose={(id) => (chosen.value = id)}
        />
        {apiKey.value !== undefined && (
          <Check checked={isWithKey.value} onCheck={(is) => (isWithKey.value = is)}>
            Incluir la clave
          </Check>
        )}
        <CopyButton text={copied} />
      </div>
      <pre
        class="snippet mono"
        tabIndex={0}
        role="region"
        aria-label={`Pedido para ${snippet?.title}`}
      >
        {snippet?.text}
      </pre>
      <p class="hint">{snippet?.hint}</p>
    </section>
  );
}
