// The sign-in page, and the page of a problem without a session.
import type { Problem } from '../../../shared/problems.ts';
import { ProblemMessage } from './components/data.tsx';

/** Name of the field with the admin token. */
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

/** Renders a problem, with a way back. */
export const ProblemPage = ({ problem }: { problem: Problem }) => (
  <>
    <ProblemMessage problem={problem} />
    <p>
      <a href="/console">Back to the console</a>
    </p>
  </>
);
