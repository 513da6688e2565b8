// Messages between the sidebar's frame and the playground.

/** A call of google.script.run, a request to close the sidebar, or a key of the page. */
export type FrameMessage =
  | { readonly kind: 'call'; readonly id: number; readonly name: string; readonly args: readonly unknown[] }
  | { readonly kind: 'close' }
  /** The person has pressed F6, or Shift+F6. */
  | { readonly kind: 'leave'; readonly toward: 1 | -1 };

/** The result of a call. */
export type PageMessage =
  | { readonly id: number; readonly ok: true; readonly value: unknown }
  | { readonly id: number; readonly ok: false; readonly name: string; readonly message: string };
