// Marks cells with links (blue, underlined) and with notes (a corner).
import { BooleanNumber, InterceptorEffectEnum, type IStyleData } from '@univerjs/core';
import { INTERCEPTOR_POINT, SheetInterceptorService } from '@univerjs/preset-sheets-core';
import type { Grid } from './grid.ts';
import { getLinks, getNote } from './notes-and-links.ts';

/** Layered over the cell's style, which does not change. */
const LINK: IStyleData = { cl: { rgb: '#1155cc' }, ul: { s: BooleanNumber.TRUE } };
const CORNER = { tr: { color: '#5f6368', size: 6 } };

export function markCells({ injector }: Pick<Grid, 'injector'>): void {
  injector.get(SheetInterceptorService).intercept(INTERCEPTOR_POINT.CELL_CONTENT, {
    // After values and formats are set.
    priority: 5,
    effect: InterceptorEffectEnum.Style,
    handler: (cell, { rawData }, next) => {
      const isLinked = getLinks(rawData?.custom, rawData?.v) !== null;
      const hasNote = getNote(rawData?.custom) !== '';
      if (!cell || !(isLinked || hasNote)) return next(cell);
      return next({
        ...cell,
        ...(isLinked ? { interceptorStyle: { ...cell.interceptorStyle, ...LINK } } : {}),
        ...(hasNote ? { markers: { ...cell.markers, ...CORNER } } : {}),
      });
    },
  });
}
