// How the playground's page proves that it was opened from the address that `npm start` printed.

/** Request header with the nonce of the start. */
export const playgroundNonceHeader = 'x-playground-nonce';

/**
 * Formats the address of the playground. The nonce is in the fragment, which browsers never send.
 * @param session - the running instance; `url` has no trailing slash
 */
export function formatPlaygroundUrl({
  url,
  playground_nonce,
}: {
  url: string;
  playground_nonce: string;
}): string {
  return `${url}/#${playground_nonce}`;
}
