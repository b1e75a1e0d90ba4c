import type { ComponentChildren } from 'preact';

/** Icons have the colour of the text. Screen readers ignore them and read the label beside them. */
function Icon({ children }: { readonly children: ComponentChildren }) {
  return (
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
      {children}
    </svg>
  );
}

export const SunIcon = () => (
  <Icon>
    <circle cx="10" cy="10" r="3.4" />
    <path d="M10 2v1.6M10 16.4V18M2 10h1.6M16.4 10H18M4.4 4.4l1.1 1.1M14.5 14.5l1.1 1.1M4.4 15.6l1.1-1.1M14.5 5.5l1.1-1.1" />
  </Icon>
);

export const MoonIcon = () => (
  <Icon>
    <path d="M16.5 12.2A6.9 6.9 0 0 1 7.8 3.5a6.9 6.9 0 1 0 8.7 8.7Z" />
  </Icon>
);

export const SystemIcon = () => (
  <Icon>
    <circle cx="10" cy="10" r="6.6" />
    <path d="M10 3.4v13.2a6.6 6.6 0 0 0 0-13.2Z" fill="currentColor" />
  </Icon>
);

export const KeyIcon = () => (
  <Icon>
    <circle cx="6.6" cy="10" r="3.4" />
    <path d="M10 10h7.4v3M14.4 10v2.2" />
  </Icon>
);

export const SearchIcon = () => (
  <Icon>
    <circle cx="8.8" cy="8.8" r="5" />
    <path d="m12.6 12.6 4 4" />
  </Icon>
);

export const SplitIcon = () => (
  <Icon>
    <path d="M3.5 4.5h13v11h-13zM11.5 4.5v11" />
  </Icon>
);

export const WallIcon = () => (
  <Icon>
    <path d="M3 4h14v9.5H3zM7 16.5h6M6 7.2h3M6 10.3h3M12 7.2h2M12 10.3h2" />
  </Icon>
);

export const RowsIcon = () => (
  <Icon>
    <path d="M3.5 5h13M3.5 8.4h13M3.5 11.7h13M3.5 15h13" />
  </Icon>
);

export const ColumnsIcon = () => (
  <Icon>
    <path d="M3.5 4h13v12h-13zM8 4v12M12 4v12" />
  </Icon>
);

export const DownloadIcon = () => (
  <Icon>
    <path d="M10 3.5v8.4M6.5 8.7l3.5 3.4 3.5-3.4M4 16h12" />
  </Icon>
);

export const CopyIcon = () => (
  <Icon>
    <rect x="7" y="7" width="9.5" height="9.5" rx="1.8" />
    <path d="M4.9 12.9H4.4a1 1 0 0 1-1-1V4.4a1 1 0 0 1 1-1h7.5a1 1 0 0 1 1 1v.5" />
  </Icon>
);

export const BackIcon = () => (
  <Icon>
    <path d="M12 4.5 6.5 10l5.5 5.5" />
  </Icon>
);

export const CloseIcon = () => (
  <Icon>
    <path d="m5.5 5.5 9 9M14.5 5.5l-9 9" />
  </Icon>
);

export const UpIcon = () => (
  <Icon>
    <path d="m5 12.2 5-5 5 5" />
  </Icon>
);

export const DownIcon = () => (
  <Icon>
    <path d="m5 7.8 5 5 5-5" />
  </Icon>
);

export const BellIcon = () => (
  <Icon>
    <path d="M10 3.2a4.6 4.6 0 0 0-4.6 4.6c0 4-1.7 5.2-1.7 5.2h12.6s-1.7-1.2-1.7-5.2A4.6 4.6 0 0 0 10 3.2ZM8.4 15.8a1.7 1.7 0 0 0 3.2 0" />
  </Icon>
);

export const EditIcon = () => (
  <Icon>
    <path d="m4 13.6 8.6-8.6 2.9 2.9-8.6 8.6H4z" />
  </Icon>
);

export const PlusIcon = () => (
  <Icon>
    <path d="M10 4.5v11M4.5 10h11" />
  </Icon>
);

export const ListIcon = () => (
  <Icon>
    <path d="M4 5.5h1M4 10h1M4 14.5h1M8 5.5h8M8 10h8M8 14.5h8" />
  </Icon>
);

export const PauseIcon = () => (
  <Icon>
    <path d="M7.5 5v10M12.5 5v10" />
  </Icon>
);

export const PlayIcon = () => (
  <Icon>
    <path d="M7 4.8v10.4l8-5.2z" />
  </Icon>
);

export const GripIcon = () => (
  <Icon>
    <path d="M7.5 5h.01M7.5 10h.01M7.5 15h.01M12.5 5h.01M12.5 10h.01M12.5 15h.01" />
  </Icon>
);

export const StripIcon = () => (
  <Icon>
    <path d="M3 6.5h14v7H3zM6 10h2M10 10h2M14 10h.5" />
  </Icon>
);

export const ToolsIcon = () => (
  <Icon>
    <path d="M3.5 6h6M14 6h2.5M3.5 14H6M10.5 14h6" />
    <circle cx="11.8" cy="6" r="2" />
    <circle cx="8.2" cy="14" r="2" />
  </Icon>
);

export const BoardIcon = () => (
  <Icon>
    <path d="M3.5 14.5 8 9l3.5 3.2L16.5 5.5" />
  </Icon>
);

export const MoreIcon = () => (
  <Icon>
    <path stroke-width="2.4" d="M4.5 10h.01M10 10h.01M15.5 10h.01" />
  </Icon>
);

export const KeyboardIcon = () => (
  <Icon>
    <path d="M2.5 5.5h15v9h-15zM5.5 8.5h.01M8.5 8.5h.01M11.5 8.5h.01M14.5 8.5h.01M6.5 11.5h7" />
  </Icon>
);

export const SwapIcon = () => (
  <Icon>
    <path d="M4 7h12l-3-3M16 13H4l3 3" />
  </Icon>
);
