// Messages on pages: problems with their fix, empty lists, and short states.
import type { Child } from 'hono/jsx';
import { HELP_PATH } from '../../../../shared/help-path.ts';
import type { Problem } from '../../../../shared/problems.ts';

/** Renders the cause of a failure and its fix. */
export const ProblemMessage = ({
  problem: { detail, fix, code },
}: {
  problem: Pick<Problem, 'detail' | 'fix' | 'code'>;
}) => (
  <div class="problem" role="alert">
    <p>
      <strong>{detail}</strong>
    </p>
    <p>
      {fix}{' '}
      <a href={`${HELP_PATH}#${code}`}>
        <code>{code}</code>
      </a>
    </p>
  </div>
);

/** Renders the place of an empty list. */
export const Empty = ({ children }: { children: Child }) => <p class="empty">{children}</p>;

/** Meaning of a state. */
export type Tone = 'good' | 'warning' | 'bad' | 'neutral';

/** Renders a state in a word. */
export const Badge = ({ tone = 'neutral', children }: { tone?: Tone; children: Child }) => (
  <span class={`badge ${tone}`}>{children}</span>
);
