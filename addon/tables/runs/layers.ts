// Layers of a block's cells, such as formats, stored small: most blocks have the same text in every cell.
import type { Area } from '../../sheet/area.ts';

/** Texts of a block's cells; a single text if all are equal. */
export type Layer = string | string[][];

/** Compresses a layer of equal texts to one. */
export function compress(rows: string[][]): Layer {
  const first = rows[0]?.[0] ?? '';
  return rows.every((row) => row.every((text) => text === first)) ? first : rows;
}

/** Returns the texts of each cell. */
export function expand(layer: Layer, { rows, columns }: Area): string[][] {
  if (typeof layer !== 'string') return layer;
  return Array.from({ length: rows }, () => Array.from({ length: columns }, () => layer));
}
