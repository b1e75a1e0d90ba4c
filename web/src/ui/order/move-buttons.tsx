import { Button } from '../button.tsx';
import { CloseIcon, DownIcon, UpIcon } from '../icons.tsx';

/** The buttons of an entry of an ordered list: they move it by one place, and remove it where that is possible. */
export function MoveButtons({
  name,
  at,
  count,
  onMove,
  removal,
}: {
  readonly name: string;
  /** The place of the entry, from zero. */
  readonly at: number;
  /** The number of entries. */
  readonly count: number;
  readonly onMove: (by: 1 | -1) => void;
  readonly removal?: { readonly label: string; readonly onRemove: () => void };
}) {
  return (
    <span class="whole">
      <Button
        look="icon"
        aria-label={`Mover ${name} antes`}
        disabled={at === 0}
        onClick={() => onMove(-1)}
      >
        <UpIcon />
      </Button>
      <Button
        look="icon"
        aria-label={`Mover ${name} después`}
        disabled={at === count - 1}
        onClick={() => onMove(1)}
      >
        <DownIcon />
      </Button>
      {removal !== undefined && (
        <Button look="icon" aria-label={removal.label} onClick={removal.onRemove}>
          <CloseIcon />
        </Button>
      )}
    </span>
  );
}
