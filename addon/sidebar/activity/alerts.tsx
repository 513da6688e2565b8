// Alert addresses: list, test, add, remove.
import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { permitsAlerts } from '../../../shared/alerts-scope.ts';
import type { AlertKind } from '../../../shared/api/schedules.ts';
import { alertKinds, defaultBudgetPercents } from '../../../shared/limits.ts';
import type { Payload, Status } from '../../server/api/index.ts';
import { type Text, t, translate } from '../../texts/texts.ts';
import { formatTimeSince } from '../format.ts';
import { useScriptAction, useScriptValue } from '../hooks.ts';
import { Disclosure, ErrorNotice, Form, Hint, Loading, Row, Section } from '../parts/basics.tsx';
import { Confirm } from '../parts/confirm.tsx';
import { Button, Checkbox, IconButton, TextField } from '../parts/controls.tsx';

type Connection = NonNullable<Status['connection']>;

const KIND_LABELS: Readonly<Record<AlertKind, Text>> = {
  failure: 'Failures',
  change: 'New rows',
  budget: 'Budget limits',
  summary: 'Weekly summary',
};

const describeKind = (kind: AlertKind, percents: readonly number[] = defaultBudgetPercents): string =>
  kind === 'budget'
    ? `${translate(KIND_LABELS.budget)} (${percents.map((percent) => t('{percent}%', { percent })).join(t(' and '))})`
    : translate(KIND_LABELS[kind]);

export function Alerts({ scopes }: { scopes: Connection['scopes'] }): JSX.Element {
  const isPermitted = permitsAlerts(scopes);
  const alerts = useScriptValue('alerts', isPermitted ? {} : undefined);
  const action = useScriptAction();
  const [url, setUrl] = useState('');
  const [kinds, setKinds] = useState<readonly AlertKind[]>(alertKinds);
  const [removing, setRemoving] = useState('');
  const all = alerts.value?.alerts;
  const toRemove = all?.find(({ id }) => id === removing);
  const run = async <M extends 'addAlert' | 'testAlert' | 'removeAlert'>(
    method: M,
    payload: Payload<M>,
  ): Promise<boolean> => {
    const updated = await action.run(method, payload);
    if (updated !== undefined) alerts.put(updated);
    return updated !== undefined;
  };
  const add = async (): Promise<void> => {
    if (await run('addAlert', { url: url.trim(), on: [...kinds] })) setUrl('');
  };
  if (!isPermitted) {
    return (
      <Section title={t('Alerts')}>
        <Hint>
          {t(
            'Your connection can’t see or change your team’s alerts. Ask your admin for a token with the scope alerts.',
          )}
        </Hint>
      </Section>
    );
  }
  return (
    <Section title={t('Alerts')}>
      <Loading of={alerts} label={t('Loading alerts')} lines={2} />
      {all?.length === 0 && (
        <Hint>
          {t('No alerts yet. Paste a Slack webhook to hear about failures, new rows and budget limits.')}
        </Hint>
      )}
      {all !== undefined && all.length > 0 && (
        <ul class="list">
          {all.map(({ id, host, on, budget_percents, last }) => (
            <li key={id} class="entry between">
              <span class="breaks">
                {host}
                <small>{on.map((kind) => describeKind(kind, budget_percents)).join(' · ')}</small>
                <small>
                  {last === null
                    ? t('No alert sent yet')
                    : last.delivered
                      ? t('Last alert sent {time}', { time: formatTimeSince(last.at) })
                      : t('Last alert failed {time}', { time: formatTimeSince(last.at) })}
                  {last?.error ? `: ${last.error}` : ''}
                </small>
              </span>
              <span class="tools">
                <Button
                  label={t('Send test to {host}', { host })}
                  busy={action.busy}
                  onClick={() => void run('testAlert', { id })}
                >
                  {t('Send test')}
                </Button>
                <IconButton
                  sign="remove"
                  label={t('Remove {host}', { host })}
                  onClick={() => setRemoving(id)}
                />
              </span>
            </li>
          ))}
        </ul>
      )}
      {toRemove !== undefined && (
        <Confirm
          question={t('Stop sending alerts to {host}?', { host: toRemove.host })}
          yes={t('Stop alerts')}
          busy={action.busy}
          onYes={() => void run('removeAlert', { id: removing }).then(() => setRemoving(''))}
          onNo={() => setRemoving('')}
        />
      )}
      <ErrorNotice error={action.error} />
      <Disclosure title={t('Add a webhook')}>
        <Form onSend={add}>
          <TextField
            label={t('Webhook link')}
            value={url}
            placeholder="https://…"
            hint={t('Keep it secret. The sidebar shows only its host name.')}
            onInput={setUrl}
          />
          <fieldset class="choice">
            <legend>{t('Send alerts about')}</legend>
            {alertKinds.map((kind) => (
              <Checkbox
                key={kind}
                label={describeKind(kind)}
                checked={kinds.includes(kind)}
                onChange={(checked) =>
                  setKinds(alertKinds.filter((each) => (each === kind ? checked : kinds.includes(each))))
                }
              />
            ))}
          </fieldset>
          <Row>
            <Button type="submit" disabled={url.trim() === '' || kinds.length === 0} busy={action.busy}>
              {t('Add webhook')}
            </Button>
          </Row>
        </Form>
      </Disclosure>
    </Section>
  );
}
