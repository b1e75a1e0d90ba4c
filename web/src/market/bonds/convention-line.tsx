import { useSignal } from '@preact/signals';

import type { ConventionName } from '../api/quote.ts';
import { conventionNames } from '../../../../src/domain/bonds/conventions.ts';
import { conventionName, settlementName } from '../facts/conventions.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Select } from '../../ui/select.tsx';
import { conventionTerms, conventionText } from './convention-texts.ts';

/** The convention of the figures of bonds: always named, with what it means, and a choice of another one. */
export function ConventionLine({
  convention,
  onChoose,
}: {
  readonly convention: ConventionName;
  readonly onChoose: (convention: ConventionName) => void;
}) {
  const isOpen = useSignal(false);
  const text = `${conventionText(convention)} Liquidación ${settlementName(convention)}, dólar MEP.`;
  return (
    <>
      <label class="bar whole gap-3">
        Convención
        <Select
          class="screen-only"
          choices={conventionNames.map((value) => ({ value, name: conventionName(value) }))}
          chosen={convention}
          onChoose={onChoose}
        />
        <strong class="print-only">{conventionName(convention)}</strong>
      </label>
      <span class="convention-text muted clip" title={text}>
        {text}
      </span>
      <Button look="link" aria-haspopup="dialog" onClick={() => (isOpen.value = true)}>
        Qué significa
      </Button>
      <Dialog title="Convenciones de los bonos" isOpen={isOpen} beginsAtTitle end="Cerrar">
        <Conventions />
      </Dialog>
    </>
  );
}

/** All conventions, and what their words mean. */
function Conventions() {
  return (
    <div class="stack">
      <p>
        La TIR, la duration y la paridad de un bono dependen de cómo se cuentan. Cada convención
        lleva el nombre de quien publica cifras contadas de ese modo.
      </p>
      <dl class="terms stack">
        {conventionNames.map((code) => (
          <div key={code}>
            <dt>{conventionName(code)}</dt>
            <dd>
              {conventionText(code)} Liquidación {settlementName(code)}.
            </dd>
          </div>
        ))}
      </dl>
      <h3>Términos</h3>
      <dl class="terms stack">
        {conventionTerms.map(([term, meaning]) => (
          <div key={term}>
            <dt>{term}</dt>
            <dd>{meaning}</dd>
          </div>
        ))}
      </dl>
      <p>
        <a href="#/api/getBonos">Las cifras de los bonos en la referencia de la API</a>
      </p>
    </div>
  );
}
