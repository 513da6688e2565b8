// Connects with a link, for all editors of the spreadsheet or for the current user, or through the Google account or company.
import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import type { AssistantCode } from '../../../shared/api/sign-in.ts';
import type { Status } from '../../server/api/index.ts';
import { useScriptAction } from '../hooks.ts';
import { DataTerms, Disclosure, ErrorNotice, Form, Hint, Row } from '../parts/basics.tsx';
import { Button, RadioGroup, TextField } from '../parts/controls.tsx';

/** A connection that needs no link. */
interface Offer {
  method: 'connectAccount' | 'connectCompany';
  hint: string;
  button: string;
}

const ACCOUNT_OFFER: Offer = {
  method: 'connectAccount',
  hint: 'You disconnected. Your Google account is enough to connect again.',
  button: 'Connect with your Google account',
};

const COMPANY_OFFER: Offer = {
  method: 'connectCompany',
  hint: 'This spreadsheet was disconnected. Your company’s connection is ready: nothing to paste.',
  button: 'Use your company’s connection',
};

function findOffer({
  connection,
  failure,
  canConnectAccount,
  hasCompanyConnection,
}: Status): Offer | undefined {
  if (connection !== null || failure !== undefined) return undefined;
  if (canConnectAccount) return ACCOUNT_OFFER;
  return hasCompanyConnection ? COMPANY_OFFER : undefined;
}

/** Offers a connection that somebody disconnected. */
function ConnectOffer(props: { offer: Offer; onStatus: (status: Status) => void }): JSX.Element {
  const { method, hint, button } = props.offer;
  const { onStatus } = props;
  const action = useScriptAction();
  return (
    <div class="stack">
      <Hint>{hint}</Hint>
      <ErrorNotice error={action.error} />
      <Row>
        <Button
          kind="primary"
          busy={action.busy}
          onClick={() => void action.run(method, {}).then((changed) => changed && onStatus(changed))}
        >
          {button}
        </Button>
      </Row>
    </div>
  );
}

function LinkForm(props: { status: Status; onStatus: (status: Status) => void }): JSX.Element {
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
      <DataTerms />
      <ErrorNotice error={action.error} />
      <Row>
        <Button kind="primary" type="submit" disabled={link.trim() === ''} busy={action.busy}>
          Connect
        </Button>
      </Row>
    </Form>
  );
}

/** The connect card: a link form, behind a connection that needs none where there is one to return to. */
export function Connect(props: { status: Status; onStatus: (status: Status) => void }): JSX.Element {
  const offer = findOffer(props.status);
  if (offer === undefined) return <LinkForm {...props} />;
  return (
    <>
      <ConnectOffer offer={offer} onStatus={props.onStatus} />
      <Disclosure title="Use another connection link">
        <LinkForm {...props} />
      </Disclosure>
    </>
  );
}

/** Connects an assistant: shows the gateway's address, and a code that works once. */
export function Assistant(): JSX.Element {
  const action = useScriptAction();
  const [shown, setShown] = useState<AssistantCode>();
  return (
    <Disclosure title="Connect an assistant">
      <Hint>
        Claude, ChatGPT and others can look up records with your connection. They spend from your budget.
      </Hint>
      {shown !== undefined && (
        <p class="breaks" role="status">
          Address: <code>{shown.url}</code>
          <br />
          Code for the page that it opens: <code>{shown.code}</code>
          <br />
          <small>It works once, within ten minutes.</small>
        </p>
      )}
      <ErrorNotice error={action.error} />
      <Row>
        <Button
          busy={action.busy}
          onClick={() => void action.run('assistantCode', {}).then((code) => code && setShown(code))}
        >
          Create a code
        </Button>
      </Row>
    </Disclosure>
  );
}
