// Settings of a looked-up table that is kept filled, with its budgets.
import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import type { EnrichmentSettings } from '../../../shared/api/enrichments.ts';
import { prices } from '../../../shared/families/registry.ts';
import type { EnrichmentState, Table, TriggerView } from '../../server/api/index.ts';
import { describeNotKeys } from '../../texts/not-keys.ts';
import { formatCount, formatNumber, t } from '../../texts/texts.ts';
import { useSidebar } from '../context.ts';
import {
  formatCredits,
  formatRowPrice,
  formatTimeSince,
  formatTimeUntil,
  parseWholeNumber,
} from '../format.ts';
import { useReloadWhenShown, useScriptAction, useScriptValue } from '../hooks.ts';
import { Hint, Loading, Notice, ProblemNotice, Row, Stack } from '../parts/basics.tsx';
import { Button, Select, TextField } from '../parts/controls.tsx';
import { PushSwitch } from '../parts/push-switch.tsx';
import { MAX_CREDITS, MORNING, type RunTimes, SettingsButtons, TimesSelect } from './schedule.tsx';

const NUMBER_ERROR = 'Enter a whole number, such as 100.';
const STATES = {
  on: 'New rows are filled within half a minute.',
  paused: 'Filling is paused.',
  stopped: 'Filling has stopped.',
} as const;

/** As of the gateway. */
const MAX_REACH = 1_000_000;

const formatReach = (alertAt: number | null | undefined): string => (alertAt ? formatNumber(alertAt) : '');

/** Choices for the age of values to refresh, in days. */
const listAges = (): { value: number | null; label: string }[] => [
  { value: null, label: t('Never') },
  ...[7, 30, 90].map((days) => ({ value: days, label: t('Older than {days} days', { days }) })),
];

function Status(props: EnrichmentState & { isCount: boolean }): JSX.Element {
  const { enrichment, unfilled, isCount } = props;
  if (enrichment === null)
    return (
      <Hint>
        {isCount
          ? t('New companies are counted, for free.')
          : t('New rows are filled. Present rows stay as they are.')}
      </Hint>
    );
  const { state, problem, next_at: next, month_spent: spent, month_credits: most } = enrichment;
  const { blank, notKeys, waiting, credits } = unfilled;
  const invalid = describeNotKeys(notKeys);
  return (
    <>
      <p role="status">{t(STATES[state])}</p>
      <ProblemNotice problem={problem} />
      <ul class="hint">
        <li>
          {isCount
            ? t('Free: nothing is bought')
            : t('{spent} of {credits} spent this month', { spent, credits: formatCredits(most) })}
        </li>
        {state !== 'on' && waiting > 0 && (
          <li>{t('Waiting: {rowPrice}', { rowPrice: formatRowPrice(waiting, credits, t('up to ')) })}</li>
        )}
        {blank > 0 && (
          <li>
            {isCount
              ? t('{rows} left empty: Refresh counts them', { rows: formatCount(blank, 'row') })
              : t('{rows} left empty: Enrich fills them', { rows: formatCount(blank, 'row') })}
          </li>
        )}
        {invalid !== '' && (
          <li>
            {enrichment.by === 'website'
              ? t('Without a website: {invalid}', { invalid })
              : t('Without an ID or profile link: {invalid}', { invalid })}
          </li>
        )}
        {next !== null && <li>{t('Closed sheet: next check {time}', { time: formatTimeUntil(next) })}</li>}
      </ul>
    </>
  );
}

/** Why the triggers of a person don't run. */
const FAULTS = {
  removed:
    'Google removed the triggers that fill rows while this sidebar is closed, for example because the add-on was uninstalled.',
  denied: 'The triggers that fill rows while this sidebar is closed lack a permission.',
  stopped:
    'Google stopped the last run of the triggers that fill rows while this sidebar is closed, usually for a missing permission.',
} as const;

/** Says when the triggers last ran, and offers to repair them. */
function Trigger(props: TriggerView & { busy: boolean; onRepair: () => void }): JSX.Element {
  const { state, lastRun, busy, onRepair } = props;
  const ran = lastRun === undefined ? '' : t('They last ran {time}.', { time: formatTimeSince(lastRun) });
  if (state === 'off')
    return (
      <Hint>
        {t(
          'New rows are filled while the sidebar is open; with Extensions → CDAPI → Complete rows on opening, always.',
        )}
      </Hint>
    );
  if (state === 'on')
    return (
      <Hint>
        {t('Your triggers fill new rows also while the sidebar is closed.')}{' '}
        {ran || t('They have not run yet.')}
      </Hint>
    );
  return (
    <Notice tone="warn">
      <p>
        {t(FAULTS[state])} {ran}
      </p>
      <Row>
        <Button busy={busy} onClick={onRepair}>
          {t('Switch them on again')}
        </Button>
      </Row>
    </Notice>
  );
}

interface Settings extends RunTimes {
  push: boolean;
  days: number | null;
  /** Maximum credits of a run and of a month. */
  run: string;
  month: string;
  /** Number of matches that a company reaches for an alert; '' for none. */
  reach: string;
}

/** Settings of a column of counts while the sheet is closed: recounts and the threshold of alerts. */
function CountAgain(props: {
  settings: Settings;
  isInvalid: boolean;
  onChange: (change: Partial<Settings>) => void;
}): JSX.Element {
  const { settings, isInvalid, onChange } = props;
  return (
    <>
      <Select
        label={t('Count again')}
        value={settings.days}
        options={[
          { value: null, label: t('Never') },
          { value: 1, label: t('At each check') },
        ]}
        onChange={(days) => onChange({ days })}
      />
      {settings.days !== null && (
        <TextField
          label={t('Alert me when a company reaches')}
          value={settings.reach}
          hint={t(
            'Leave it empty for no alert. Otherwise the sheet Changes and a message to the team’s alert addresses name the companies that had fewer at the count before.',
          )}
          error={isInvalid ? t(NUMBER_ERROR) : undefined}
          onInput={(reach) => onChange({ reach })}
        />
      )}
      <Hint>{t('Free. New numbers replace old ones; texts and formulas are kept.')}</Hint>
    </>
  );
}

/** When the closed sheet is checked, which values are refreshed then, and what that costs at most. */
function ClosedSheet(props: {
  settings: Settings;
  keys: EnrichmentState['keys'];
  monthCredits: number | undefined;
  isCount: boolean;
  isReachInvalid: boolean;
  onChange: (change: Partial<Settings>) => void;
}): JSX.Element {
  const { settings, keys, monthCredits, isCount, isReachInvalid, onChange } = props;
  const { days } = settings;
  const cost = {
    records: formatCount(keys.count, 'record'),
    credits: formatCredits(keys.credits),
    days: days ?? 0,
  };
  return (
    <>
      <TimesSelect label={t('Check the closed sheet')} times={settings} onChange={onChange} />
      {isCount ? (
        <CountAgain settings={settings} isInvalid={isReachInvalid} onChange={onChange} />
      ) : (
        <Select
          label={t('Also refresh values')}
          value={days}
          options={listAges()}
          onChange={(age) => onChange({ days: age })}
        />
      )}
      {!isCount && days !== null && (
        <Hint>
          {monthCredits === undefined
            ? t('{records} in this table: at most {credits} every {days} days.', cost)
            : t(
                '{records} in this table: at most {credits} every {days} days, and never more than {month} a month.',
                {
                  ...cost,
                  month: formatCredits(monthCredits),
                },
              )}{' '}
          {t(
            'When these are used up, new rows aren’t filled either. Edited cells and formulas are kept. The sheet Changes lists the old values.',
          )}
        </Hint>
      )}
      <Hint>{t('To undo what was written to the closed sheet, use File → Version history.')}</Hint>
    </>
  );
}

/** Says what only updates of the closed sheet can do, and how to get them. */
function describeOpenOnly(isCount: boolean, hasAccount: boolean): string {
  if (isCount)
    return hasAccount
      ? t('To count again on a schedule and get alerts, turn on “Update the sheet while it is closed”.')
      : t('To count again on a schedule and get alerts, ask your admin for a service account.');
  return hasAccount
    ? t('To refresh old values on a schedule, turn on “Update the sheet while it is closed”.')
    : t('To refresh old values on a schedule, ask your admin for a service account.');
}

export function KeepFilled({ table }: { table: Table }): JSX.Element {
  const { runs } = useSidebar();
  const tableId = table.id;
  const isCount = table.kind === 'count';
  const loaded = useScriptValue('enrichment', { tableId });
  useReloadWhenShown(true, runs.state.message?.sentence, loaded.reload);
  const action = useScriptAction();
  const [changed, setChanged] = useState<Partial<Settings>>({});
  const change = (more: Partial<Settings>): void => setChanged({ ...changed, ...more });
  const { value } = loaded;
  if (value === undefined) return <Loading of={loaded} label={t('Loading the settings')} />;
  const { enrichment, undo } = value;
  const planned = enrichment?.next_at;
  const settings: Settings = {
    every: enrichment?.every ?? 'day',
    at: planned ? new Date(planned) : MORNING,
    days: isCount && enrichment?.push !== true ? 1 : (enrichment?.refresh_days ?? null),
    push: enrichment?.push ?? false,
    run: formatNumber(enrichment?.max_credits ?? 100),
    month: formatNumber(enrichment?.month_credits ?? 1000),
    reach: formatReach(enrichment?.alert_at),
    ...changed,
  };
  const { push, run, month, reach } = settings;
  // Counts are free.
  const maxCredits = isCount ? 0 : parseWholeNumber(run, MAX_CREDITS);
  const monthCredits = isCount ? 0 : parseWholeNumber(month, MAX_CREDITS);
  const alertAt = reach.trim() === '' ? null : parseWholeNumber(reach, MAX_REACH);
  const put = (settings: EnrichmentSettings | null): void =>
    void action.run('setEnrichment', { tableId, settings }, (saved) => {
      loaded.put(saved);
      const { state } = saved.enrichment ?? {};
      runs.report(
        state === undefined ? t('New rows are no longer filled.') : `${t('Saved.')} ${t(STATES[state])}`,
      );
      setChanged({});
    });
  const repair = (): void => void action.run('repairTriggers', { tableId }, loaded.put);
  const save = (paused: boolean): void => {
    if (maxCredits === undefined || monthCredits === undefined || alertAt === undefined) return;
    const { every, at, days } = settings;
    put({
      every,
      push,
      max_credits: maxCredits,
      month_credits: monthCredits,
      paused,
      refresh_days: push ? days : null,
      ...(isCount && { alert_at: push && days !== null ? alertAt : null }),
      ...(push && every !== 'hour' ? { at: at.toISOString() } : {}),
    });
  };
  const isInvalid = maxCredits === undefined || monthCredits === undefined || alertAt === undefined;
  const state = enrichment?.state;
  return (
    <Stack>
      <Status {...value} isCount={isCount} />
      {undo !== undefined && (
        <Row>
          <Button busy={runs.busy} onClick={() => runs.undo(undo.runId, true)}>
            {t('Undo fill · {rows}', { rows: formatCount(undo.rows, 'row') })}
            {undo.notFound ? ` (${t('{notFound} not found', { notFound: undo.notFound })})` : ''}
          </Button>
        </Row>
      )}
      {!isCount && (
        <>
          <TextField
            label={t('Maximum credits per run')}
            value={run}
            error={maxCredits === undefined ? t(NUMBER_ERROR) : undefined}
            onInput={(text) => change({ run: text })}
          />
          <TextField
            label={t('Maximum credits per month')}
            value={month}
            hint={t('Each new record costs {credits}, once. Filling stops when these are used up.', {
              credits: formatCredits(prices[table.family].record),
            })}
            error={monthCredits === undefined ? t(NUMBER_ERROR) : undefined}
            onInput={(text) => change({ month: text })}
          />
        </>
      )}
      <PushSwitch account={value.pushAccount} on={push} onChange={(on) => change({ push: on })} />
      {push ? (
        <ClosedSheet
          settings={settings}
          keys={value.keys}
          monthCredits={monthCredits}
          isCount={isCount}
          isReachInvalid={alertAt === undefined}
          onChange={change}
        />
      ) : (
        <Hint>{describeOpenOnly(isCount, value.pushAccount !== null)}</Hint>
      )}
      <Trigger {...value.trigger} busy={action.busy} onRepair={repair} />
      <SettingsButtons
        action={action}
        state={state}
        saveLabel={
          enrichment === null ? t('Keep filled') : state === 'stopped' ? t('Resume filling') : t('Save')
        }
        isInvalid={isInvalid}
        onSave={save}
        onTurnOff={() => put(null)}
      />
    </Stack>
  );
}
