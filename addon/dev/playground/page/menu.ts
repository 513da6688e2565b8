// The add-on's menu, built from the script's entries. In Google Sheets it is under Extensions.
import type { Menu, MenuItem } from '../../host/types.ts';
import { createElement } from './elements.ts';

export type RunItem = (functionName: string) => void;

type FocusTarget = (from: number, count: number) => number;

const FOCUS_KEYS: Readonly<Record<string, FocusTarget>> = {
  ArrowDown: (from, count) => (from + 1) % count,
  ArrowUp: (from, count) => (from + count - 1) % count,
  Home: () => 0,
  End: (_, count) => count - 1,
};

function createItem(item: MenuItem, onChoose: RunItem): HTMLElement {
  if (item.kind === 'separator') return createElement('div', { role: 'separator', className: 'menu-line' });
  if (item.kind === 'menu') {
    const { caption, items } = item.menu;
    return createElement(
      'div',
      { role: 'group', className: 'menu-group', ariaLabel: caption },
      createElement('div', { role: 'presentation', className: 'menu-caption', textContent: caption }),
      ...items.map((inner) => createItem(inner, onChoose)),
    );
  }
  return createElement('button', {
    type: 'button',
    className: 'menu-item',
    role: 'menuitem',
    tabIndex: -1,
    textContent: item.caption,
    onclick: () => onChoose(item.functionName),
  });
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
