// The error for a value that doesn't fit its field.

/** A value that the field's type doesn't accept, with the engine's message. */
export class ValueError extends Error {
  override readonly name = 'ValueError';
}
