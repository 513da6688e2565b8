// The sign-in page of the API reference. It posts the token once and never stores it.
import { html } from 'hono/html';
import { emptyHtml } from './html.ts';
import { renderLayout } from './page.ts';

/** Names of the form fields. */
export const signInFields = { token: 'token', as: 'as' } as const;

/**
 * Renders the page.
 * @param errorMessage - why the previous token was rejected
 */
export async function renderSignInPage(errorMessage?: string): Promise<string> {
  const error =
    errorMessage === undefined
      ? emptyHtml
      : html`<p class="error" id="error" role="alert">${errorMessage}</p>`;
  const ariaAttributes =
    errorMessage === undefined ? emptyHtml : html` aria-invalid="true" aria-describedby="error"`;
  const page = renderLayout(
    'CDAPI for Sheets: reference',
    html`<main class="sign-in"><h1>CDAPI <span>for Sheets</span></h1>
<p>The API reference requires a token, because the data terms forbid publishing it.</p>
<form method="post" action="/docs">
<label for="token">Team token or admin token</label>
<input id="token" name="${signInFields.token}" type="password" required autofocus autocomplete="off" spellcheck="false"${ariaAttributes}>
${error}
<div class="buttons"><button>Open the reference</button><button class="second" name="${signInFields.as}" value="json">Download openapi.json</button></div>
</form>
<p class="note">The token is sent only to this gateway and is never stored, neither in the URL nor in a cookie.</p>
</main>`,
  );
  return String(await page);
}
