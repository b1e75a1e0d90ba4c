import { useSignal } from '@preact/signals';

import { buenosAiresDay } from '../market/format/buenos-aires.ts';
import { Button } from '../ui/button.tsx';
import { Problem } from '../ui/problem.tsx';
import { saveFile } from '../ui/save-file.ts';
import { formatBackup, partsOf, present, readBackup, replace, type Backup } from './backup.ts';

/** Saves the lists, columns, alerts and levels of this browser as one file, and takes those of a file in their place. */
export function BackupForm() {
  const read = useSignal<Backup | undefined>(undefined);
  const before = useSignal<Backup | undefined>(undefined);
  const message = useSignal('');
  const problem = useSignal('');
  const open = async (file: File) => {
    const result = await file.text().then(readBackup, () => ({
      problem: 'El archivo no se pudo leer.',
    }));
    const isWrong = 'problem' in result;
    problem.value = isWrong ? result.problem : '';
    read.value = isWrong ? undefined : result;
    message.value = '';
  };
  const apply = (backup: Backup) => {
    const replaced = present(backup);
    replace(backup);
    before.value = replaced;
    read.value = undefined;
    message.value = `Se leyeron ${joined(partsOf(backup))}.`;
  };
  const undo = () => {
    if (before.value !== undefined) replace(before.value);
    before.value = undefined;
    message.value = 'Se deshizo la lectura.';
  };
  return (
    <div class="stack gap-6">
      <p>
        Las listas, las columnas, las alertas y los niveles de los gráficos están solo en este
        navegador. Un archivo los lleva a otro, o los guarda. No contiene la clave.
      </p>
      <div class="row">
        <Button onClick={save}>Guardar en un archivo</Button>
        <label class="button file-button">
          Leer un archivo…
          <input
            type="file"
            class="visually-hidden"
            accept=".json,application/json"
            onChange={(event) => {
              const input = event.currentTarget;
              const file = input.files?.[0];
              // The same file can be chosen again after it was corrected.
              if (file !== undefined) void open(file).then(() => (input.value = ''));
            }}
          />
        </label>
      </div>
      {read.value !== undefined && <Question backup={read.value} onApply={apply} />}
      <Problem>{problem.value}</Problem>
      <p class="hint" role="status">
        {message.value}
      </p>
      {before.value !== undefined && (
        <Button look="small" onClick={undo}>
          Deshacer
        </Button>
      )}
    </div>
  );
}

function save(): void {
  const name = `pizarra-${buenosAiresDay(Date.now())}`;
  saveFile(formatBackup(present()), { name, extension: 'json', type: 'application/json' });
}

/** Says what a file has and what it replaces, before anything is replaced. */
function Question({
  backup,
  onApply,
}: {
  readonly backup: Backup;
  readonly onApply: (backup: Backup) => void;
}) {
  return (
    <div class="notice stack gap-6">
      <p>El archivo tiene {joined(partsOf(backup))}.</p>
      <p>Reemplaza lo que hay en este navegador: {joined(partsOf(present(backup)))}.</p>
      <Button look="small" onClick={() => onApply(backup)}>
        Reemplazar
      </Button>
    </div>
  );
}

function joined(parts: readonly string[]): string {
  return parts.length < 2 ? (parts[0] ?? '') : `${parts.slice(0, -1).join(', ')} y ${parts.at(-1)}`;
}
