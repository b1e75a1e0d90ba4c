import { useComputed, useSignal, type ReadonlySignal } from '@preact/signals';
import { useEffect, useId, useRef } from 'preact/hooks';

import type { InstrumentInfo, Quote } from '../api/quote.ts';
import { allInstruments } from '../instruments.ts';
import { Button } from '../../ui/button.tsx';
import { SearchIcon } from '../../ui/icons.tsx';
import { pause, repeat } from '../../ui/pause.ts';
import { findInstruments, type Found } from './find-instruments.ts';
import { moveChoice } from './move-choice.ts';
import { quoteTexts } from '../figures/quote-texts.ts';
import { unitNameOf } from '../format/numbers.ts';
import { usableKey } from '../../key/api-key.ts';
import { fetchJson } from '../api/service.ts';

/** Maximum length of a text, in characters. */
const textLengthMax = 100;

/**
 * A combobox with a list of instruments and their prices (WAI-ARIA Authoring Practices, "Combobox"). The
 * focus stays in the field. The arrows choose an option, and Enter takes it. Enter before the list of the
 * service is loaded takes the first option as soon as it is.
 */
export function InstrumentCombobox({
  label = 'Especie o nombre',
  hasFocus = false,
  offered,
  onTake,
  onDone,
}: {
  readonly label?: string;
  /** Whether the field takes the focus when it appears. */
  readonly hasFocus?: boolean;
  /** The tickers that are offered before anything is typed, with the name of their list. */
  readonly offered?: { readonly name: string; readonly tickers: readonly string[] };
  /** Called with the instrument that the user takes. */
  readonly onTake: (info: InstrumentInfo) => void;
  /** Called by the button "Cerrar". Without it, there is no button. */
  readonly onDone?: () => void;
}) {
  const id = useId();
  const listId = `${id}-list`;
  const optionId = (at: number) => `${id}-${at}`;
  const text = useSignal('');
  const chosen = useSignal(0);
  /** A closed dialog has a field too. Prices are requested only after the field has had the focus. */
  const wasFocused = useSignal(false);
  const isOpening = useRef(false);
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => {
    if (hasFocus) field.current?.focus();
  }, []);
  const found = useComputed<Found>(() =>
    findInstruments(text.value, allInstruments.value.values()),
  );
  const isEmpty = text.value.trim() === '';
  const shown = (): readonly InstrumentInfo[] =>
    text.value.trim() === ''
      ? (offered?.tickers ?? []).flatMap((ticker) => allInstruments.value.get(ticker) ?? [])
      : found.value.instruments;
  const options = shown();
  const hasOptions = options.length > 0;
  const quotes = useOptionQuotes(wasFocused.value ? options.map(({ especie }) => especie) : []);
  const open = (info: InstrumentInfo | undefined) => {
    if (info !== undefined) onTake(info);
  };
  const isLoaded = allInstruments.value.size > 0;
  useEffect(() => {
    if (isLoaded && isOpening.current) open(shown()[0]);
    isOpening.current = false;
  }, [isLoaded]);
  const onKeyDown = (event: KeyboardEvent) => {
    // A key may come before what was typed is drawn.
    const current = shown();
    const next = moveChoice(event.key, { chosen: chosen.value, count: current.length });
    if (next !== undefined) {
      chosen.value = next;
      document.getElementById(optionId(next))?.scrollIntoView({ block: 'nearest' });
    } else if (event.key === 'Enter') {
      isOpening.current = allInstruments.value.size === 0;
      open(current[chosen.value]);
    } else return;
    event.preventDefault();
  };
  return (
    <>
      <div class="search-field row">
        <SearchIcon />
        <input
          class="input"
          role="combobox"
          ref={field}
          aria-label={label}
          aria-expanded={hasOptions}
          aria-controls={listId}
          aria-autocomplete="list"
          aria-activedescendant={hasOptions ? optionId(chosen.value) : undefined}
          placeholder={label}
          autocomplete="off"
          autocapitalize="off"
          spellcheck={false}
          maxLength={textLengthMax}
          onFocus={() => {
            wasFocused.value = true;
          }}
          onInput={(event) => {
            text.value = event.currentTarget.value;
            chosen.value = 0;
            isOpening.current = false;
          }}
          onKeyDown={onKeyDown}
        />
        {onDone !== undefined && (
          <Button look="small" onClick={onDone}>
            Cerrar
          </Button>
        )}
      </div>
      {isEmpty && hasOptions && <p class="hint">{offered?.name}</p>}
      <ul
        id={listId}
        class="search-list"
        role="listbox"
        aria-label={isEmpty ? offered?.name : 'Especies encontradas'}
        hidden={!hasOptions}
      >
        {options.map((info, at) => (
          <li
            key={info.especie}
            id={optionId(at)}
            role="option"
            aria-selected={at === chosen.value}
            onPointerMove={() => {
              chosen.value = at;
            }}
            onClick={() => open(info)}
          >
            <InstrumentOption info={info} quote={quotes.value.get(info.especie)} />
          </li>
        ))}
      </ul>
      <p class="hint" role="status">
        {isEmpty ? (
          <span class="keyboard-only">
            Flechas para elegir, Enter para aceptar, Escape para cerrar.
          </span>
        ) : isLoaded ? (
          statusText(found.value)
        ) : (
          'Buscando…'
        )}
      </p>
    </>
  );
}

function statusText({ instruments: { length }, areAllForgiven }: Found): string {
  if (length === 0) return 'Ninguna especie coincide.';
  if (areAllForgiven) return length === 1 ? '1 especie parecida' : `${length} especies parecidas`;
  return length === 1 ? '1 especie' : `${length} especies`;
}

/** What the option of an instrument shows: its ticker, its name, its kind and its quote. */
function InstrumentOption({
  info,
  quote,
}: {
  readonly info: InstrumentInfo;
  /** Undefined while it is not known. */
  readonly quote: Quote | undefined;
}) {
  const { freshness, price, change, way } = quoteTexts(info.especie, quote);
  return (
    <>
      <strong>{info.especie}</strong>
      <span class="search-name clip">{info.nombre}</span>
      <span class="search-kind hint whole">
        {kindNames[info.tipo] ?? info.tipo} · {info.mercado} · {unitNameOf(info)}
      </span>
      {quote !== undefined && (
        <span class={`search-quote is-${freshness}`}>
          <span>{price}</span>
          <span class={freshness === 'earlier' ? 'small search-day' : `small change ${way}`}>
            {change}
          </span>
        </span>
      )}
    </>
  );
}

/** The names of the kinds of instruments (`tipo` of the contract). */
const kindNames: Readonly<Record<string, string>> = {
  accion: 'Acción',
  cedear: 'CEDEAR',
  adr: 'ADR',
  etf: 'ETF',
  bono: 'Bono',
  'obligacion-negociable': 'Obligación negociable',
  letra: 'Letra',
  cripto: 'Cripto',
  indice: 'Índice',
  'tipo-de-cambio': 'Tipo de cambio',
  tasa: 'Tasa',
  brecha: 'Brecha',
  'riesgo-pais': 'Riesgo país',
};

/** Time without a change of the options after which their quotes are requested, in milliseconds. */
const pauseMs = 150;

/** Interval between two requests while the options stay, in milliseconds. */
const renewalMs = 5_000;

/**
 * The quotes of the options of a search, requested while they are shown. A stream would take the place
 * of that of the page. Quotes that cannot be renewed are removed, because they may be out of date.
 */
function useOptionQuotes(tickers: readonly string[]): ReadonlySignal<ReadonlyMap<string, Quote>> {
  const quotes = useSignal<ReadonlyMap<string, Quote>>(new Map());
  const selected = tickers.map(encodeURIComponent).join(',');
  useEffect(() => {
    if (selected === '') {
      quotes.value = new Map();
      return undefined;
    }
    const stop = new AbortController();
    const { signal } = stop;
    const path = `/cotizaciones?especie=${selected}`;
    const read = async () => {
      const outcome = await fetchJson<readonly Quote[]>(path, { signal, isOnce: true });
      if (signal.aborted) return;
      const known = outcome.ok ? outcome.value : [];
      quotes.value = new Map(known.map((quote) => [quote.especie, quote]));
    };
    void pause(pauseMs, signal).then(() => repeat(read, () => pause(renewalMs, signal), signal));
    return () => stop.abort();
  }, [selected, usableKey.value]);
  return quotes;
}
