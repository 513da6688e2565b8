// GET /connect: the page behind a connection link. The token is in the fragment, so browsers never send it.
import { Hono } from 'hono';
import { html } from 'hono/html';

const page = html`<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width">
    <title>Connect · CDAPI for Sheets</title>
    <style>
      :root { color-scheme: light dark; font: 16px/1.5 system-ui, sans-serif; }
      main { max-width: 34rem; margin: 12vh auto; padding: 0 1.5rem; }
      h1 { font-size: 1.5rem; }
    </style>
  </head>
  <body>
    <main>
      <h1>This is a connection link</h1>
      <p>It connects a spreadsheet to your team’s data. Whoever has it spends from your team’s budget, so pass it on
        only inside the team.</p>
      <ol>
        <li>Copy the whole address of this page.</li>
        <li>Open your spreadsheet and choose <b>Extensions → CDAPI → Connect</b>.</li>
        <li>Paste it there.</li>
      </ol>
      <p>In a spreadsheet where nobody has used the menu yet, formulas show <code>#NAME?</code>. Opening
        <b>Extensions → CDAPI → Open sidebar</b> there once is enough; then reload the spreadsheet.</p>
    </main>
  </body>
</html>`;

export function createConnectRoutes(): Hono {
  return new Hono().get('/', (c) => c.html(page));
}
