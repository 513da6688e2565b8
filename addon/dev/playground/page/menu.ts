// The add-on's menu, built from the script's entries. In Google Sheets it is under Extensions.
import type { Menu, MenuItem } from '../../host/types.ts';

export type RunItem = (functionName: string) => void;

type FocusTarget = (from: number, count: number) => number;

const FOCUS_KEYS: Readonly<Record<string, FocusTarget>> = {
  ArrowDown: (from, count) => (from + 1) % count,
  ArrowUp: (from, count) => (from + count - 1) % count,
  Home: () => 0,
  End: (_, count) => count - 1,
};

function createElement(role: string, className: string, text = ''): HTMLElement {
  const element = document.createElement('div');
  element.setAttribute('role', role);
  element.className = className;
  element.textContent = text;
  return element;
}

function createItem(item: MenuItem, onChoose: RunItem): HTMLElement {
  if (item.kind === 'separator') return createElement('separator', 'menu-line');
  if (item.kind === 'menu') {
    const group = createElement('group', 'menu-group');
    group.setAttribute('aria-label', item.menu.caption);
    group.append(
      createElement('presentation', 'menu-caption', item.menu.caption),
      ...item.menu.items.map((inner) => createItem(inner, onChoose)),
    );
    return group;
  }
  const button = document.createElement('button');
  button.type = 'button';
  button.className = 'menu-item';
  button.setAttribute('role', 'menuitem');
  button.tabIndex = -1;
  button.textContent = item.caption;
  button.addEventListener('click', () => onChoose(item.functionName));
  return button;
}

/**
 * Fills the menu and shows its button.
 * @param button - opens and closes `list`
 * @param list - popover for the items
 */
export function showMenu(
  button: HTMLElement,
  list: HTMLElement,
  menus: readonly Pick<Menu, 'items'>[],
  onChoose: RunItem,
): void {
  const closeAndRun = (functionName: string): void => {
    list.hidePopover();
    onChoose(functionName);
  };
  list.replaceChildren(...menus.flatMap(({ items }) => items).map((item) => createItem(item, closeAndRun)));
  const items = [...list.querySelectorAll('button')];
  list.addEventListener('toggle', () => {
    const open = list.matches(':popover-open');
    button.setAttribute('aria-expanded', String(open));
    if (open) items[0]?.focus();
  });
  list.addEventListener('keydown', (event) => {
    if (event.key === 'Tab') list.hidePopover();
    const next = FOCUS_KEYS[event.key];
    if (next === undefined) return;
    event.preventDefault();
    const at = items.findIndex((item) => item.matches(':focus'));
    items[next(at, items.length)]?.focus();
  });
  button.hidden = items.length === 0;
}
