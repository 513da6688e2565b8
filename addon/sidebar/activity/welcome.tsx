// Welcome screen after the first connection through a Google account: names the paying team and the data terms.
import type { JSX } from 'preact';
import { formatNumber } from '../../../shared/lib/format-count.ts';
import type { Status } from '../../server/api/index.ts';
import { enabledNote, formulasNote } from '../format.ts';
import { useScriptAction } from '../hooks.ts';
import { DataTerms, ErrorNotice, Hint, Row } from '../parts/basics.tsx';
import { Button } from '../parts/controls.tsx';

export function Welcome(props: {
  connection: NonNullable<Status['connection']>;
  onStatus: (status: Status) => void;
}): JSX.Element {
  const { team, remaining, mode } = props.connection;
  const action = useScriptAction();
  return (
    <main class="content stack wide">
      <h3>You are connected</h3>
      <p>
        Your company has connected you through your Google account: nothing to paste. Team <b>{team}</b> pays
        for what you buy
        {remaining === null ? '.' : `; you can still spend ${formatNumber(remaining)} credits.`} Every price
        is shown before you click.
        {mode === 'embedded' && ' Its sample records are fictional.'}
      </p>
      <Hint>Your admin can see your e-mail address, when you were last here and what you spend.</Hint>
      <DataTerms />
      <Hint>This sidebar works for you in all spreadsheets. {formulasNote}</Hint>
      <Hint>{enabledNote}</Hint>
      <ErrorNotice error={action.error} />
      <Row>
        <Button
          kind="primary"
          busy={action.busy}
          onClick={() =>
            void action.run('confirmAccount', {}).then((changed) => changed && props.onStatus(changed))
          }
        >
          Start
        </Button>
      </Row>
    </main>
  );
}
