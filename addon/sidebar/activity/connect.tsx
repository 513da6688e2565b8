// Connects with a link, for all editors of the spreadsheet or for the current user.
import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import type { Status } from '../../server/api/index.ts';
import { useScriptAction } from '../hooks.ts';
import { ErrorNotice, Form, Hint, Row } from '../parts/basics.tsx';
import { Button, RadioGroup, TextField } from '../parts/controls.tsx';

export function Connect(props: { status: Status; onStatus: (status: Status) => void }): JSX.Element {
  const { status, onStatus } = props;
  const action = useScriptAction();
  const [link, setLink] = useState('');
  const [scope, setScope] = useState<'sheet' | 'me'>(status.canConnectSheet ? 'sheet' : 'me');
  const connect = async (): Promise<void> => {
    const connected = await action.run('connect', { link: link.trim(), for: scope });
    if (connected === undefined) return;
    setLink('');
    onStatus(connected);
  };
  return (
    <Form onSend={connect}>
      <TextField
        label="Connection link"
        value={link}
        placeholder="https://…/connect#…"
        hint="Your admin creates it in the console. Paste the whole link."
        onInput={setLink}
      />
      <RadioGroup
        label="Connect for"
        value={scope}
        options={[
          {
            value: 'sheet',
            label: 'Everyone in this spreadsheet',
            hint: status.canConnectSheet
              ? 'Formulas work for everyone who edits it. They all spend from your team’s budget.'
              : 'Only the owner of this spreadsheet can connect it for everyone.',
            disabled: !status.canConnectSheet,
          },
          { value: 'me', label: 'Only me', hint: 'This sidebar works for you. Formulas don’t work.' },
        ]}
        onChange={setScope}
      />
      <Hint>
        The data is for your company’s own use: don’t sell it, publish it or pass copies on. Delete it after
        twelve months.
      </Hint>
      <ErrorNotice error={action.error} />
      <Row>
        <Button kind="primary" type="submit" disabled={link.trim() === ''} busy={action.busy}>
          Connect
        </Button>
      </Row>
    </Form>
  );
}
