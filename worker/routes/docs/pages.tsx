// The troubleshooting page, which is public: it explains symptoms and has nothing of the data or its structure; and the sign-in.
import { HELP_PATH } from '../../../shared/help-path.ts';
import { problems } from '../../../shared/problems.ts';
import { type TroubleshootingEntry, troubleshooting } from '../../../shared/troubleshooting.ts';
import { Table } from '../console/components/data.tsx';
import { renderDocument } from '../console/layout.tsx';
import { Inline } from './schema.tsx';

const Entry = ({ entry: { id, symptom, codes, aliases = [], steps } }: { entry: TroubleshootingEntry }) => (
  <section id={id}>
    {[...codes, ...aliases]
      .filter((anchor) => anchor !== id)
      .map((anchor) => (
        <span id={anchor} />
      ))}
    <h2>
      <Inline text={symptom} />
    </h2>
    <ul>
      {steps.map((step) => (
        <li>
          <Inline text={step} />
        </li>
      ))}
    </ul>
    {codes.length === 0 ? null : (
      <Table
        caption={`Problems: ${id}`}
        empty="None."
        rows={codes}
        columns={[
          { label: 'Problem', render: (code) => <code>{code}</code> },
          {
            label: 'What happened, and what to do',
            render: (code) => (
              <>
                {problems[code].title} <small>{problems[code].fix}</small>
              </>
            ),
          },
        ]}
      />
    )}
  </section>
);

/** Renders the troubleshooting page. */
export const renderHelp = () =>
  renderDocument(
    'CDAPI for Sheets: troubleshooting',
    <>
      <a class="skip" href="#main">
        Skip to the contents
      </a>
      <div class="reference">
        <nav aria-label="Contents">
          <a class="brand" href={HELP_PATH}>
            CDAPI <span>help</span>
          </a>
          <ul>
            {troubleshooting.map(({ id, symptom }) => (
              <li>
                <a href={`#${id}`}>
                  <Inline text={symptom} />
                </a>
              </li>
            ))}
          </ul>
        </nav>
        <main id="main" tabindex={-1}>
          <h1>Troubleshooting</h1>
          <p class="lead">Find what you see. The first step is the most likely one.</p>
          {troubleshooting.map((entry) => (
            <Entry entry={entry} />
          ))}
        </main>
      </div>
    </>,
  );

/** Names of the fields of the sign-in form. */
export const signInFields = { token: 'token', as: 'as' } as const;

/**
 * Renders the sign-in. It posts the token once and never stores it.
 * @param errorMessage - why the previous token was rejected
 */
export const renderSignIn = (errorMessage?: string) =>
  renderDocument(
    'CDAPI for Sheets: reference',
    <main id="main" class="plain">
      <h1>CDAPI for Sheets</h1>
      <p>The API reference requires a token, because the data terms forbid publishing it.</p>
      <form method="post" action="/docs">
        <div class="field">
          <label for="token">Team token or admin token</label>
          <input
            id="token"
            name={signInFields.token}
            type="password"
            required
            autofocus
            autocomplete="off"
            spellcheck={false}
            aria-invalid={errorMessage === undefined ? undefined : 'true'}
            aria-describedby={errorMessage === undefined ? 'token-hint' : 'error'}
          />
          <p class="hint" id="token-hint">
            The token is sent only to this gateway and is never stored, neither in the URL nor in a cookie.
          </p>
        </div>
        {errorMessage === undefined ? null : (
          <p class="problem" id="error" role="alert">
            {errorMessage}
          </p>
        )}
        <div class="actions">
          <button type="submit">Open the reference</button>
          <button type="submit" class="second" name={signInFields.as} value="json">
            Download openapi.json
          </button>
        </div>
      </form>
    </main>,
  );
