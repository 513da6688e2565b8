// The welcome screen, and connections: with a link, for all editors of the spreadsheet or for the current user, or through the Google account or company.
import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import type { AssistantCode } from '../../../shared/api/account.ts';
import type { Status } from '../../server/api/index.ts';
import { type Text, t, translate } from '../../texts/texts.ts';
import { useSidebar } from '../context.ts';
import { enabledNote, formulasNote } from '../format.ts';
import { useScriptAction } from '../hooks.ts';
import { DataTerms, Disclosure, ErrorNotice, Form, Hint, Row } from '../parts/basics.tsx';
import { Button, RadioGroup, TextField } from '../parts/controls.tsx';

interface Offer {
  method: 'connectAccount' | 'connectCompany';
  hint: Text;
  button: Text;
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

function ConnectOffer({ offer }: { offer: Offer }): JSX.Element {
  const { method, hint, button } = offer;
  const { onStatus } = useSidebar();
  const action = useScriptAction();
  return (
    <div class="stack">
      <Hint>{translate(hint)}</Hint>
      <ErrorNotice error={action.error} />
      <Row>
        <Button kind="primary" busy={action.busy} onClick={() => void action.run(method, {}, onStatus)}>
          {translate(button)}
        </Button>
      </Row>
    </div>
  );
}

function LinkForm(): JSX.Element {
  const { status, onStatus } = useSidebar();
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
        label={t('Connection link')}
        value={link}
        placeholder={'https://…/connect#…'}
        hint={t('Your admin creates it in the console. Paste the whole link.')}
        onInput={setLink}
      />
      <RadioGroup
        label={t('Connect for')}
        value={scope}
        options={[
          {
            value: 'sheet',
            label: t('Everyone in this spreadsheet'),
            hint: status.canConnectSheet
              ? t('Formulas work for everyone who edits it. They all spend from your team’s budget.')
              : t('Only the owner of this spreadsheet can connect it for everyone.'),
            disabled: !status.canConnectSheet,
          },
          { value: 'me', label: t('Only me'), hint: t('This sidebar works for you. Formulas don’t work.') },
        ]}
        onChange={setScope}
      />
      <DataTerms />
      <ErrorNotice error={action.error} />
      <Row>
        <Button kind="primary" type="submit" disabled={link.trim() === ''} busy={action.busy}>
          {t('Connect')}
        </Button>
      </Row>
    </Form>
  );
}

/** The connect card: a link form, behind a connection that needs none where there is one to return to. */
export function Connect(): JSX.Element {
  const offer = findOffer(useSidebar().status);
  if (offer === undefined) return <LinkForm />;
  return (
    <>
      <ConnectOffer offer={offer} />
      <Disclosure title={t('Use another connection link')}>
        <LinkForm />
      </Disclosure>
    </>
  );
}

/** Connects an assistant: shows the gateway's address, and a code that works once. */
export function Assistant(): JSX.Element {
  const action = useScriptAction();
  const [shown, setShown] = useState<AssistantCode>();
  return (
    <Disclosure title={t('Connect an assistant')}>
      <Hint>
        {t(
          'Claude, ChatGPT and others can look up records with your connection. They spend from your budget.',
        )}
      </Hint>
      {shown !== undefined && (
        <p class="breaks" role="status">
          {t('Address:')} <code>{shown.url}</code>
          <br />
          {t('Code for the page that it opens:')} <code>{shown.code}</code>
          <br />
          <small>{t('It works once, within ten minutes.')}</small>
        </p>
      )}
      <ErrorNotice error={action.error} />
      <Row>
        <Button busy={action.busy} onClick={() => void action.run('assistantCode', {}, setShown)}>
          {t('Create a code')}
        </Button>
      </Row>
    </Disclosure>
  );
}

/** After the first connection through a Google account: names the paying team and the data terms. */
export function Welcome(props: {
  connection: NonNullable<Status['connection']>;
  onStatus: (status: Status) => void;
}): JSX.Element {
  const { team, remaining, mode } = props.connection;
  const action = useScriptAction();
  return (
    <main class="content stack wide">
      <h3>{t('You are connected')}</h3>
      <p>
        {t('Your company has connected you through your Google account: nothing to paste.')}{' '}
        {remaining === null
          ? t('Team {team} pays for what you buy.', { team })
          : t('Team {team} pays for what you buy; you can still spend {remaining} credits.', {
              team,
              remaining,
            })}{' '}
        {t('Every price is shown before you click.')}{' '}
        {mode === 'sandbox' && t('Its sample records are fictional.')}
      </p>
      <Hint>{t('Your admin can see your e-mail address, when you were last here and what you spend.')}</Hint>
      <DataTerms />
      <Hint>
        {t('This sidebar works for you in all spreadsheets.')} {t(formulasNote)}
      </Hint>
      <Hint>{t(enabledNote)}</Hint>
      <ErrorNotice error={action.error} />
      <Row>
        <Button
          kind="primary"
          busy={action.busy}
          onClick={() => void action.run('confirmAccount', {}, props.onStatus)}
        >
          {t('Start')}
        </Button>
      </Row>
    </main>
  );
}
