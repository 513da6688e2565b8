// What the sidebar's frame and the playground's page say to each other.

/** A call of google.script.run, and that the page in the frame wants to be closed. */
export type FrameMessage =
  | { readonly kind: 'call'; readonly id: number; readonly name: string; readonly args: readonly unknown[] }
  | { readonly kind: 'close' };

/** What became of a call: the handlers of the page in the frame get it. */
export type PageMessage =
  | { readonly id: number; readonly ok: true; readonly value: unknown }
  | { readonly id: number; readonly ok: false; readonly name: string; readonly message: string };
