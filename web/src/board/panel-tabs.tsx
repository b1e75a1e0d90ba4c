import { useEffect, useRef } from 'preact/hooks';

import { panels } from '../market/contract.ts';
import { formatRoute } from '../route.ts';

/** The panels of the contract. Each is a link that can be shared. */
export function PanelTabs({ panel }: { readonly panel: string }) {
  const list = useRef<HTMLElement>(null);
  const all = panels.value;
  useEffect(() => {
    const chosen = list.current?.querySelector('[aria-current]');
    chosen?.scrollIntoView({ block: 'nearest', inline: 'center' });
  }, [panel, all]);
  return (
    <nav class="tabs" aria-label="Paneles" ref={list}>
      {all.map(({ value, name }) => (
        <a
          key={value}
          href={formatRoute({ page: 'board', panel: value })}
          aria-current={value === panel ? 'page' : undefined}
        >
          <span class="tab-code">{value}</span>
          <span class="tab-name">{name}</span>
        </a>
      ))}
    </nav>
  );
}
