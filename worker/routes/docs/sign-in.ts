// What a browser without a token sees in place of the reference: a form that asks for one, once, and keeps it nowhere.
import { html } from 'hono/html';
import { emptyHtml } from './html.ts';
import { renderLayout } from './page.ts';

/** Names of the form's parts. */
export const signInFields = { token: 'token', as: 'as' } as const;

/**
 * Makes the page.
 * @param complaint - why the token that was shown did not open the reference
 */
export async function renderSignInPage(complaint?: string): Promise<string> {
  const error =
    complaint === undefined ? emptyHtml : html`<p class="error" id="error" role="alert">${complaint}</p>`;
  const described = complaint === undefined ? emptyHtml : html` aria-invalid="true" aria-describedby="error"`;
  const page = renderLayout(
    'CDAPI for Sheets: reference',
    html`<main class="sign-in"><h1>CDAPI <span>for Sheets</span></h1>
<p>The reference is for people with a token: the data terms forbid publishing it.</p>
<form method="post" action="/docs">
<label for="token">Team token or admin token</label>
<input id="token" name="${signInFields.token}" type="password" required autofocus autocomplete="off" spellcheck="false"${described}>
${error}
<div class="buttons"><button>Open the reference</button><button class="second" name="${signInFields.as}" value="json">Download openapi.json</button></div>
</form>
<p class="note">The token goes to this gateway only and is kept nowhere: not in the address, not in a cookie.</p>
</main>`,
  );
  return String(await page);
}
