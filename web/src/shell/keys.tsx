import { Check } from '../ui/check.tsx';
import { shortcuts } from '../ui/shortcuts.ts';

/** The keys of the playground, in groups. */
const groups: readonly {
  readonly title: string;
  /** Keys, and what each of them does. */
  readonly keys: readonly (readonly [keys: readonly string[], effect: string])[];
}[] = [
  {
    title: 'En todas las páginas',
    keys: [
      [['Ctrl K', '⌘ K'], 'Buscar una especie'],
      [['/'], 'En la pizarra, filtrar; en las demás páginas, buscar'],
      [['?'], 'Mostrar estas teclas'],
      [['Escape'], 'Cerrar un diálogo, borrar el filtro o salir del mural'],
    ],
  },
  {
    title: 'En la pizarra',
    keys: [
      [['↓'], 'Desde el filtro, ir a la primera fila'],
      [['↑', '↓', 'Re Pág', 'Av Pág', 'Inicio', 'Fin'], 'Recorrer las filas'],
      [['←', '↑', '↓', '→'], 'Recorrer el mapa, la curva o los gráficos'],
      [['Enter'], 'Abrir la especie'],
      [['a'], 'Crear una alerta para la especie de la fila'],
      [['Alt ↑', 'Alt ↓'], 'Mover la especie dentro de una lista propia'],
    ],
  },
  {
    title: 'En un gráfico',
    keys: [
      [['←', '→'], 'Recorrer las barras'],
      [['+', '−'], 'Acercar y alejar'],
    ],
  },
];

/** The list of keys, and the choice to disable those of a single character. */
export function Keys() {
  return (
    <>
      {groups.map(({ title, keys }) => (
        <section key={title} class="keys stack gap-3">
          <h3>{title}</h3>
          <dl class="pairs">
            {keys.map(([names, effect]) => (
              <div key={effect}>
                <dt class="row gap-2">
                  {names.map((name) => (
                    <kbd key={name}>{name}</kbd>
                  ))}
                </dt>
                <dd>{effect}</dd>
              </div>
            ))}
          </dl>
        </section>
      ))}
      <Check
        checked={shortcuts.value === 'on'}
        onCheck={(isChecked) => (shortcuts.value = isChecked ? 'on' : 'off')}
      >
        Usar las teclas / y ? en cualquier lugar de la página
      </Check>
    </>
  );
}
