// The complaint about a value that does not fit its field.

/** A value that its field's type does not take; the message is in the engine's words. */
export class ValueError extends Error {
  override readonly name = 'ValueError';
}
