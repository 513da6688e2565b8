// The frame of every page: head, navigation, messages and content; the sign-in, and a problem without a session.
import { html } from 'hono/html';
import { type Child, useContext } from 'hono/jsx';
import { HELP_PATH } from '../../../shared/help-path.ts';
import type { Problem } from '../../../shared/problems.ts';
import { ProblemMessage } from './components/data.tsx';
import { CSRF_FIELD, type MayUse, RequestContext, WrongValueContext } from './components/form.tsx';
import type { Page, PageContent } from './context.ts';
import { sections } from './pages/index.ts';
import { getAddress } from './pages/paths.ts';
import type { OpenSession } from './sessions.ts';

/** Renders a page with the console's style sheet. */
export const renderDocument = (title: string, children: Child, script?: string) =>
  html`<!doctype html>${(
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>{title}</title>
        <link rel="icon" href="data:," />
        <link rel="stylesheet" href="/console/style.css" />
        {script === undefined ? null : <script src={script} defer />}
      </head>
      <body>{children}</body>
    </html>
  )}`;

const renderConsole = (title: string, children: Child) =>
  renderDocument(`${title} · CDAPI console`, children, '/console/live.js');

const Brand = () => (
  <a class="brand" href="/console">
    CDAPI <span>console</span>
  </a>
);

interface LinksProps {
  label: string;
  links: readonly (readonly [page: Page, label: string])[];
  current: Page | undefined;
  class?: string;
  search?: string;
}

/** Renders links to the pages that the role may open. */
const Links = ({ label, links, current, class: name, search = '' }: LinksProps) => {
  const { mayUse } = useContext(RequestContext);
  return (
    <nav class={name} aria-label={label}>
      <ul>
        {links.map(([page, text]) =>
          mayUse(getAddress(page)) ? (
            <li>
              <a href={getAddress(page) + search} aria-current={page === current ? 'page' : undefined}>
                {text}
              </a>
            </li>
          ) : null,
        )}
      </ul>
    </nav>
  );
};

const SignedIn = ({ session: { id, email, csrf, actor } }: { session: OpenSession }) => (
  <form class="who" method="post" action="/console/sign-out">
    <input type="hidden" name={CSRF_FIELD} value={csrf} />
    <span>
      {email ?? `Session ${id.slice(0, 6)}`} · {actor.role}
    </span>
    <button type="submit" class="link">
      Sign out
    </button>
  </form>
);

interface FrameProps extends Pick<PageContent, 'title' | 'wrong'> {
  /** Undefined without a page at the address. */
  page: Page | undefined;
  query: Readonly<Record<string, string>>;
  session: OpenSession;
  mayUse: MayUse;
  /** What the last action did. */
  notice?: string | undefined;
  /** Why the last action failed. */
  problem?: Problem | undefined;
  children: Child;
}

export function renderPage(frame: FrameProps) {
  const { title, page, query, session, notice, problem, wrong, children, mayUse } = frame;
  const { notice: _, ...kept } = query;
  const search = Object.keys(kept).length === 0 ? '' : `?${new URLSearchParams(kept)}`;
  const isShown = (each: Page): boolean => each === page;
  const section = sections.find(({ pages }) => pages.some(isShown));
  const tabs = section?.pages.filter(({ tab }, index) => index === 0 || tab !== undefined) ?? [];
  return renderConsole(
    title,
    <RequestContext.Provider value={{ csrf: session.csrf, search, mayUse }}>
      <a class="skip" href="#main">
        Skip to content
      </a>
      <header class="top">
        <Brand />
        <Links
          label="Console"
          links={sections.map(({ label, pages: [first] }) => [first, label])}
          current={section?.pages[0]}
        />
        <a href={HELP_PATH}>Help</a>
        <SignedIn session={session} />
      </header>
      <main id="main" tabindex={-1}>
        <h1>{title}</h1>
        {problem === undefined ? null : <ProblemMessage problem={problem} />}
        {notice === undefined ? null : (
          <p class="notice" role="status">
            {notice}
          </p>
        )}
        {section !== undefined && tabs.length > 1 && tabs.some(isShown) ? (
          <Links
            class="tabs"
            label={section.label}
            links={tabs.map((each) => [each, each.tab ?? section.label])}
            current={page}
            search={query.team === undefined ? '' : `?${new URLSearchParams({ team: query.team })}`}
          />
        ) : null}
        <WrongValueContext.Provider value={wrong}>{children}</WrongValueContext.Provider>
      </main>
    </RequestContext.Provider>,
  );
}

/** Renders a page without a session, such as the sign-in. */
export const renderPlainPage = (title: string, children: Child) =>
  renderConsole(
    title,
    <main id="main" class="plain">
      <Brand />
      <h1>{title}</h1>
      {children}
    </main>,
  );

export const TOKEN_FIELD = 'token';

/** Renders the form. The token is sent once and never stored. */
export const SignInForm = ({ problem }: { problem: Problem | undefined }) => (
  <form method="post" action="/console/sign-in">
    {problem === undefined ? null : <ProblemMessage problem={problem} />}
    <div class="field">
      <label for={TOKEN_FIELD}>Admin token</label>
      <input
        id={TOKEN_FIELD}
        name={TOKEN_FIELD}
        type="password"
        required
        autofocus
        autocomplete="off"
        spellcheck={false}
        aria-describedby="token-hint"
      />
      <p class="hint" id="token-hint">
        It is sent only to this gateway. You stay signed in for an hour after your last visit, at most twelve
        hours.
      </p>
    </div>
    <button type="submit">Sign in</button>
  </form>
);

export const ProblemPage = ({ problem }: { problem: Problem }) => (
  <>
    <ProblemMessage problem={problem} />
    <p>
      <a href="/console">Back to the console</a>
    </p>
  </>
);
