// Splits lists into batches.

/** Splits a list into as few batches as possible, in its order. */
export function splitIntoBatches<Item>(items: readonly Item[], size: number): Item[][] {
  const batches: Item[][] = [];
  for (let at = 0; at < items.length; at += size) batches.push(items.slice(at, at + size));
  return batches;
}
