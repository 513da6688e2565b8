// Recognises cells that say that something is not known.

const PLACEHOLDER =
  /^(?:[^\p{L}\p{N}]*|#?n[./ ]?a\.?|none|null|nil|unknown|undefined|tb[adc]|not (?:available|applicable|known)|k\.? ?a\.?)$/iu;

/** Checks whether a cell has no content, or a text such as `n/a`, `-`, `TBD` or `Unknown`. */
export const isPlaceholder = (text: string): boolean => PLACEHOLDER.test(text.trim());
