// Setters of a range's look, which the host only notes in the journal; with the type of their argument.

/** By the name of the method on Range. */
export const STYLES: Readonly<Record<string, string>> = {
  setFontWeight: 'String',
  setFontStyle: 'String',
  setFontColor: 'String',
  setFontSize: 'Integer',
  setBackground: 'String',
  setHorizontalAlignment: 'String',
  setVerticalAlignment: 'String',
  setNote: 'String',
  setWrap: 'Boolean',
};

/** What the journal calls the style that a setter sets: setFontWeight → fontWeight. */
export function styleOf(setter: string): string {
  return setter.charAt(3).toLowerCase() + setter.slice(4);
}
