// Tabs with keyboard navigation. Source: WAI-ARIA Authoring Practices, "Tabs".
import type { ComponentChildren, JSX } from 'preact';
import { useRef } from 'preact/hooks';

export interface TabEntry<T extends string> {
  id: T;
  label: string;
}

export function TabRow<T extends string>(props: {
  label: string;
  tabs: readonly TabEntry<T>[];
  chosen: T;
  onChange: (tab: T) => void;
}): JSX.Element {
  const { tabs, chosen, onChange } = props;
  const row = useRef<HTMLDivElement>(null);
  const go = (to: number): void => {
    const tab = tabs[(to + tabs.length) % tabs.length];
    if (tab === undefined) return;
    onChange(tab.id);
    row.current?.querySelector<HTMLElement>(`#tab-${tab.id}`)?.focus();
  };
  const moves: Readonly<Record<string, (at: number) => number>> = {
    ArrowRight: (at) => at + 1,
    ArrowLeft: (at) => at - 1,
    Home: () => 0,
    End: () => tabs.length - 1,
  };
  return (
    <div class="tabs" role="tablist" aria-label={props.label} ref={row}>
      {tabs.map(({ id, label }, at) => (
        <button
          key={id}
          type="button"
          role="tab"
          id={`tab-${id}`}
          aria-selected={id === chosen}
          aria-controls={`panel-${id}`}
          tabIndex={id === chosen ? 0 : -1}
          onClick={() => onChange(id)}
          onKeyDown={(event) => {
            const move = moves[event.key];
            if (move === undefined) return;
            event.preventDefault();
            go(move(at));
          }}
        >
          {label}
        </button>
      ))}
    </div>
  );
}

export function TabPanel(props: { id: string; hidden: boolean; children: ComponentChildren }): JSX.Element {
  return (
    <div
      class="panel"
      role="tabpanel"
      id={`panel-${props.id}`}
      aria-labelledby={`tab-${props.id}`}
      hidden={props.hidden}
    >
      {props.children}
    </div>
  );
}
