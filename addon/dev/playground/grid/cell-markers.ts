// Shows what a cell holds beside its value: texts with links look like links, cells with notes have a corner.
import { BooleanNumber, InterceptorEffectEnum, type IStyleData } from '@univerjs/core';
import { INTERCEPTOR_POINT, SheetInterceptorService } from '@univerjs/preset-sheets-core';
import type { Grid } from './grid.ts';
import { linksOf, noteOf } from './notes-and-links.ts';

/** Over the cell's own style, which stays as it is. */
const LINK: IStyleData = { cl: { rgb: '#1155cc' }, ul: { s: BooleanNumber.TRUE } };
const CORNER = { tr: { color: '#5f6368', size: 6 } };

/** Shows links and notes of all cells. */
export function markCells({ injector }: Pick<Grid, 'injector'>): void {
  injector.get(SheetInterceptorService).intercept(INTERCEPTOR_POINT.CELL_CONTENT, {
    // After values and formats were put into the cell.
    priority: 5,
    effect: InterceptorEffectEnum.Style,
    handler: (cell, { rawData }, next) => {
      const linked = linksOf(rawData?.custom, rawData?.v) !== null;
      const noted = noteOf(rawData?.custom) !== '';
      if (!cell || !(linked || noted)) return next(cell);
      return next({
        ...cell,
        ...(linked ? { interceptorStyle: { ...cell.interceptorStyle, ...LINK } } : {}),
        ...(noted ? { markers: { ...cell.markers, ...CORNER } } : {}),
      });
    },
  });
}
