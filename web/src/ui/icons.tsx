import type { SVGAttributes } from 'preact';

/** A line of a drawing of 20 × 20 units. */
type Line = SVGAttributes<SVGPathElement> & { readonly d: string };

/** An icon of lines. It has the colour of the text. Screen readers ignore it and read the label beside it. */
function icon(...lines: readonly (string | Line)[]) {
  const paths = lines.map((line) => (typeof line === 'string' ? { d: line } : line));
  return () => (
    <svg
      class="icon"
      viewBox="0 0 20 20"
      fill="none"
      stroke="currentColor"
      stroke-width="1.6"
      stroke-linecap="round"
      stroke-linejoin="round"
      aria-hidden="true"
    >
      {paths.map((path) => (
        <path key={path.d} {...path} />
      ))}
    </svg>
  );
}

function circle(x: number, y: number, radius: number): string {
  const half = `a${radius} ${radius} 0 1 0`;
  return `M${x - radius} ${y}${half} ${2 * radius} 0${half} ${-2 * radius} 0Z`;
}

export const SunIcon = icon(
  circle(10, 10, 3.4),
  'M10 2v1.6M10 16.4V18M2 10h1.6M16.4 10H18M4.4 4.4l1.1 1.1M14.5 14.5l1.1 1.1M4.4 15.6l1.1-1.1M14.5 5.5l1.1-1.1',
);
export const MoonIcon = icon('M16.5 12.2A6.9 6.9 0 0 1 7.8 3.5a6.9 6.9 0 1 0 8.7 8.7Z');
export const SystemIcon = icon(circle(10, 10, 6.6), {
  d: 'M10 3.4v13.2a6.6 6.6 0 0 0 0-13.2Z',
  fill: 'currentColor',
});
export const KeyIcon = icon(circle(6.6, 10, 3.4), 'M10 10h7.4v3M14.4 10v2.2');
export const SearchIcon = icon(circle(8.8, 8.8, 5), 'm12.6 12.6 4 4');
export const SplitIcon = icon('M3.5 4.5h13v11h-13zM11.5 4.5v11');
export const WallIcon = icon('M3 4h14v9.5H3zM7 16.5h6M6 7.2h3M6 10.3h3M12 7.2h2M12 10.3h2');
export const RowsIcon = icon('M3.5 5h13M3.5 8.4h13M3.5 11.7h13M3.5 15h13');
export const ColumnsIcon = icon('M3.5 4h13v12h-13zM8 4v12M12 4v12');
export const DownloadIcon = icon('M10 3.5v8.4M6.5 8.7l3.5 3.4 3.5-3.4M4 16h12');
export const CopyIcon = icon(
  'M8.8 7h5.9a1.8 1.8 0 0 1 1.8 1.8v5.9a1.8 1.8 0 0 1-1.8 1.8H8.8A1.8 1.8 0 0 1 7 14.7V8.8A1.8 1.8 0 0 1 8.8 7Z',
  'M4.9 12.9H4.4a1 1 0 0 1-1-1V4.4a1 1 0 0 1 1-1h7.5a1 1 0 0 1 1 1v.5',
);
export const BackIcon = icon('M12 4.5 6.5 10l5.5 5.5');
export const CloseIcon = icon('m5.5 5.5 9 9M14.5 5.5l-9 9');
export const UpIcon = icon('m5 12.2 5-5 5 5');
export const DownIcon = icon('m5 7.8 5 5 5-5');
export const BellIcon = icon(
  'M10 3.2a4.6 4.6 0 0 0-4.6 4.6c0 4-1.7 5.2-1.7 5.2h12.6s-1.7-1.2-1.7-5.2A4.6 4.6 0 0 0 10 3.2ZM8.4 15.8a1.7 1.7 0 0 0 3.2 0',
);
export const EditIcon = icon('m4 13.6 8.6-8.6 2.9 2.9-8.6 8.6H4z');
export const PlusIcon = icon('M10 4.5v11M4.5 10h11');
export const ListIcon = icon('M4 5.5h1M4 10h1M4 14.5h1M8 5.5h8M8 10h8M8 14.5h8');
export const PauseIcon = icon('M7.5 5v10M12.5 5v10');
export const PlayIcon = icon('M7 4.8v10.4l8-5.2z');
export const GripIcon = icon('M7.5 5h.01M7.5 10h.01M7.5 15h.01M12.5 5h.01M12.5 10h.01M12.5 15h.01');
export const StripIcon = icon('M3 6.5h14v7H3zM6 10h2M10 10h2M14 10h.5');
export const ToolsIcon = icon(
  'M3.5 6h6M14 6h2.5M3.5 14H6M10.5 14h6',
  circle(11.8, 6, 2),
  circle(8.2, 14, 2),
);
export const BoardIcon = icon('M3.5 14.5 8 9l3.5 3.2L16.5 5.5');
export const MoreIcon = icon({ d: 'M4.5 10h.01M10 10h.01M15.5 10h.01', 'stroke-width': 2.4 });
export const KeyboardIcon = icon(
  'M2.5 5.5h15v9h-15zM5.5 8.5h.01M8.5 8.5h.01M11.5 8.5h.01M14.5 8.5h.01M6.5 11.5h7',
);
export const SwapIcon = icon('M4 7h12l-3-3M16 13H4l3 3');
