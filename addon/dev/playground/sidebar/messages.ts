// Messages between the sidebar's frame and the playground.

/** A call of google.script.run, or a request to close the sidebar. */
export type FrameMessage =
  | { readonly kind: 'call'; readonly id: number; readonly name: string; readonly args: readonly unknown[] }
  | { readonly kind: 'close' };

/** The result of a call. */
export type PageMessage =
  | { readonly id: number; readonly ok: true; readonly value: unknown }
  | { readonly id: number; readonly ok: false; readonly name: string; readonly message: string };
