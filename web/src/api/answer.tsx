import { useSignal } from '@preact/signals';
import { useEffect, useMemo, useRef } from 'preact/hooks';

import { parseRateLimit } from '../../../clients/typescript/src/response-notes.ts';
import type { RateLimit } from '../../../clients/typescript/src/result.ts';
import { isKeyDialogOpen } from '../key/api-key.ts';
import { formatVolume } from '../market/format/numbers.ts';
import { Button } from '../ui/button.tsx';
import { CopyButton } from '../ui/copy-button.tsx';
import { DownloadIcon } from '../ui/icons.tsx';
import { Problem } from '../ui/problem.tsx';
import { saveFile } from '../ui/save-file.ts';
import { Segments } from '../ui/segments.tsx';
import { FramedTable, type Column } from '../ui/table/framed-table.tsx';
import { adviceFor } from './advice.ts';
import { JsonText } from './marked-text.ts';
import type { Answer } from './send.ts';

/** Maximum number of characters of a body that are shown. The whole body can be copied. */
const shownCharactersMax = 60_000;

/** Maximum number of rows that are shown. */
const shownRowsMax = 500;

/** The response: status, time, headers and body, as the service sent them. */
export function AnswerView({
  answer,
  isBusy,
}: {
  readonly answer: Answer | undefined;
  readonly isBusy: boolean;
}) {
  const section = useRef<HTMLElement>(null);
  // A stream changes its response with each event, and a page that scrolls by itself disturbs.
  const id = answer?.id;
  useEffect(() => {
    if (id !== undefined) showSection(section.current);
  }, [id]);
  return (
    <section ref={section} class="answer stack gap-5" aria-label="Respuesta" aria-busy={isBusy}>
      {answer === undefined && <p class="muted">Todavía no se envió ningún pedido.</p>}
      {answer?.kind === 'unreachable' && (
        <Problem>El servicio no responde. Revisar la conexión y enviar otra vez.</Problem>
      )}
      {answer?.kind === 'answered' && <Answered answer={answer} />}
    </section>
  );
}

/** Scrolls to the response if its beginning is not in view, as below the form of a narrow screen. */
function showSection(section: HTMLElement | null): void {
  const top = section?.getBoundingClientRect().top ?? 0;
  if (top < 0 || top > innerHeight * 0.6) section?.scrollIntoView({ block: 'start' });
}

type Answered = Extract<Answer, { readonly kind: 'answered' }>;

function Answered({ answer }: { readonly answer: Answered }) {
  const { status, statusText, headers, body, bytes, ms } = answer;
  const isStream = answer.isOpen !== undefined;
  const named = new Map(headers);
  const type = named.get('content-type') ?? '';
  const isCsv = type.startsWith('text/csv');
  const limit = parseRateLimit(
    named.get('ratelimit-policy') ?? null,
    named.get('ratelimit') ?? null,
  );
  return (
    <>
      <p class="answer-line row" role="status">
        <span class={`badge status-${Math.floor(status / 100)}`}>
          {status} {statusText}
        </span>
        <span class="muted">
          {formatVolume(Math.round(ms))} ms · {formatVolume(bytes)} bytes
        </span>
        <CopyButton text={() => body} label="Copiar el cuerpo" />
        {isCsv && (
          <Button
            look="small"
            onClick={() => saveFile(body, { name: 'pizarra', extension: 'csv', type })}
          >
            <DownloadIcon />
            Descargar
          </Button>
        )}
      </p>
      <Advice answer={answer} />
      {limit !== undefined && <p class="hint">{limitText(limit)}</p>}
      {isStream && (
        <p class="hint" role="status">
          {answer.isOpen
            ? 'Transmisión abierta: los eventos se muestran a medida que llegan.'
            : 'La transmisión terminó.'}
          {answer.isCut === true && ' Se muestra el final de lo recibido.'}
        </p>
      )}
      <details class="headers">
        <summary>Encabezados ({headers.length})</summary>
        <dl class="pairs">
          {headers.map(([name, value]) => (
            <div key={name}>
              <dt class="mono">{name}</dt>
              <dd class="mono">{value}</dd>
            </div>
          ))}
        </dl>
      </details>
      <Body body={body} isJson={type.startsWith('application/json')} />
    </>
  );
}

/** What the service says of an error, and what to do. */
function Advice({ answer: { status, headers, body } }: { readonly answer: Answered }) {
  const advice = adviceFor(status, new Map(headers).get('retry-after'));
  if (advice === undefined) return null;
  const { error } = (parsed(body) ?? {}) as { readonly error?: unknown };
  return (
    <div class="notice notice-bad" role="alert">
      {typeof error === 'string' && <p>{error}</p>}
      <p>
        <strong>Qué hacer:</strong> {advice}{' '}
        {status === 401 && (
          <Button look="link" onClick={() => (isKeyDialogOpen.value = true)}>
            Cambiar la clave
          </Button>
        )}
      </p>
    </div>
  );
}

/** The body as text or, if it is a list of objects, as a table. */
function Body({ body, isJson }: { readonly body: string; readonly isJson: boolean }) {
  const isAsTable = useSignal(false);
  const json = useMemo(() => (isJson ? parsed(body) : undefined), [body, isJson]);
  const text = json === undefined ? body : JSON.stringify(json, undefined, 2);
  return (
    <>
      {isTable(json) && (
        <Segments
          label="Ver como"
          choices={[
            { value: 'text', name: 'Texto' },
            { value: 'table', name: 'Tabla' },
          ]}
          chosen={isAsTable.value ? 'table' : 'text'}
          onChoose={(view) => (isAsTable.value = view === 'table')}
        />
      )}
      {isTable(json) && isAsTable.value ? (
        <JsonTable rows={json} />
      ) : (
        <>
          <pre class="body mono" tabIndex={0} role="region" aria-label="Cuerpo de la respuesta">
            {json === undefined ? (
              text.slice(0, shownCharactersMax)
            ) : (
              <JsonText text={text.slice(0, shownCharactersMax)} />
            )}
          </pre>
          {text.length > shownCharactersMax && (
            <p class="hint">
              Se muestra el comienzo del cuerpo. «Copiar el cuerpo» lo copia completo.
            </p>
          )}
        </>
      )}
    </>
  );
}

/** A row of a JSON body. */
type JsonRow = Readonly<Record<string, unknown>>;

/** Whether a body is a list of objects, which can be shown as a table. */
function isTable(body: unknown): body is readonly JsonRow[] {
  return (
    Array.isArray(body) &&
    body.length > 0 &&
    body.every((row) => typeof row === 'object' && row !== null && !Array.isArray(row))
  );
}

/** The rows of a response, with the values as the service sent them and the fields of all rows. */
function JsonTable({ rows }: { readonly rows: readonly JsonRow[] }) {
  const fields = [...new Set(rows.flatMap((row) => Object.keys(row)))];
  return (
    <>
      <FramedTable
        label="Respuesta como tabla"
        frameClass="body-table"
        caption="Respuesta como tabla"
        columns={fields.map((field): Column<JsonRow> => [field, (row) => cellText(row[field])])}
        rows={rows.slice(0, shownRowsMax)}
      />
      {rows.length > shownRowsMax && (
        <p class="hint">
          Se muestran las primeras {shownRowsMax} filas. «Copiar el cuerpo» las copia todas.
        </p>
      )}
    </>
  );
}

function cellText(value: unknown): string | undefined {
  return typeof value === 'string' ? value : JSON.stringify(value);
}

function limitText({ remaining, quota, resetSeconds }: RateLimit): string {
  const left = remaining === 1 ? 'Queda 1' : `Quedan ${formatVolume(remaining)}`;
  return `Límite de la clave. ${left} de ${formatVolume(quota)} pedidos. El límite completo vuelve en ${formatVolume(resetSeconds)} s.`;
}

/** The value of a JSON text. Undefined for another text. */
function parsed(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    return undefined;
  }
}
