// F6 moves the focus between the parts of the page, as in Sheets and in browsers: the grid keeps Tab for itself.
import { ILayoutService } from '@univerjs/preset-sheets-core';
import type { Grid } from '../grid/grid.ts';

/** The parts of the page in the order of F6, as selectors of what takes the focus. */
const REGIONS = [
  '.strip button:not([hidden])',
  '#steps:not([hidden]) button',
  '#offer:not([hidden]) button',
  '#grid',
  '#sidebar:not([hidden]) iframe',
] as const;
const GRID = '#grid';

/** @param toward - 1 forwards, -1 backwards */
export type MoveFocus = (toward: 1 | -1) => void;

/**
 * Moves the focus with F6 and Shift+F6.
 * @returns moves it for keys that the page does not see, such as those in the frame of the sidebar
 */
export function moveBetweenRegions({ injector }: Grid): MoveFocus {
  const find = (selector: string): HTMLElement[] => [...document.querySelectorAll<HTMLElement>(selector)];
  const moveFocus: MoveFocus = (toward) => {
    const present = REGIONS.filter((selector) => find(selector).some((each) => each.checkVisibility()));
    const from = present.findIndex((selector) =>
      find(selector).some((each) => each.contains(document.activeElement)),
    );
    // Univer's hidden editor has the focus while a cell is selected; it is outside the grid's element.
    const current = from < 0 ? present.indexOf(GRID) : from;
    const next = present[(current + toward + present.length) % present.length];
    if (next === GRID) injector.get(ILayoutService).focus();
    else if (next !== undefined) focusByKey(find(next).find((each) => each.checkVisibility()));
  };
  document.addEventListener(
    'keydown',
    (event) => {
      if (event.key !== 'F6' || event.ctrlKey || event.altKey || event.metaKey) return;
      event.preventDefault();
      event.stopPropagation();
      moveFocus(event.shiftKey ? -1 : 1);
    },
    true,
  );
  return moveFocus;
}

/** Focuses an element and marks it while it has the focus: browsers draw no ring around a frame. */
function focusByKey(element: HTMLElement | undefined): void {
  if (element === undefined) return;
  element.focus();
  element.dataset.reached = '';
  element.addEventListener('blur', () => delete element.dataset.reached, { once: true });
}
