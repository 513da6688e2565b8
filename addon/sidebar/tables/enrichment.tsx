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
import { ErrorNotice, Hint, Loading, Notice, ProblemNotice, Row, Stack } from '../parts/basics.tsx';
import { Button, Select, TextField } from '../parts/controls.tsx';
import { PushSwitch } from '../parts/push-switch.tsx';
import { MAX_CREDITS, MORNING, type RunTimes, TimesSelect } from './schedule.tsx';

const NUMBER_ERROR = 'Enter a whole number, such as 100.';
const STATES = {
  on: 'New rows are filled within half a minute.',
  paused: 'Filling is paused.',
  stopped: 'Filling has stopped.',
} as const;

/** Choices for the age of values to refresh, in days. */
const listAges = (): { value: number | null; label: string }[] => [
  { value: null, label: t('Never') },
  ...[7, 30, 90].map((days) => ({ value: days, label: t('Older than {days} days', { days }) })),
];

function Status({ enrichment, unfilled }: EnrichmentState): JSX.Element {
  if (enrichment === null) return <Hint>{t('New rows are filled. Present rows stay as they are.')}</Hint>;
  const { state, problem, next_at: next, month_spent: spent, month_credits: most } = enrichment;
  const { blank, notKeys, waiting, credits } = unfilled;
  const invalid = describeNotKeys(notKeys);
  return (
    <>
      <p role="status">{t(STATES[state])}</p>
      <ProblemNotice problem={problem} />
      <ul class="hint">
        <li>{t('{spent} of {credits} spent this month', { spent, credits: formatCredits(most) })}</li>
        {state !== 'on' && waiting > 0 && (
          <li>{t('Waiting: {rowPrice}', { rowPrice: formatRowPrice(waiting, credits, t('up to ')) })}</li>
        )}
        {blank > 0 && (
          <li>{t('{rows} left empty: Enrich fills them', { rows: formatCount(blank, 'row') })}</li>
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
  closed: boolean;
  days: number | null;
  /** Maximum credits of a run and of a month. */
  run: string;
  month: string;
}

/** When the closed sheet is checked, which values are refreshed then, and what that costs at most. */
function ClosedSheet(props: {
  settings: Settings;
  keys: EnrichmentState['keys'];
  monthCredits: number | undefined;
  onChange: (change: Partial<Settings>) => void;
}): JSX.Element {
  const { settings, keys, monthCredits, onChange } = props;
  const { days } = settings;
  const cost = {
    records: formatCount(keys.count, 'record'),
    credits: formatCredits(keys.credits),
    days: days ?? 0,
  };
  return (
    <>
      <TimesSelect label={t('Check the closed sheet')} times={settings} onChange={onChange} />
      <Select
        label={t('Also refresh values')}
        value={days}
        options={listAges()}
        onChange={(age) => onChange({ days: age })}
      />
      {days !== null && (
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

export function KeepFilled({ table }: { table: Table }): JSX.Element {
  const { runs } = useSidebar();
  const tableId = table.id;
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
    days: enrichment?.refresh_days ?? null,
    closed: enrichment?.closed ?? false,
    run: formatNumber(enrichment?.max_credits ?? 100),
    month: formatNumber(enrichment?.month_credits ?? 1000),
    ...changed,
  };
  const { closed, run, month } = settings;
  const maxCredits = parseWholeNumber(run, MAX_CREDITS);
  const monthCredits = parseWholeNumber(month, MAX_CREDITS);
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
    if (maxCredits === undefined || monthCredits === undefined) return;
    const { every, at, days } = settings;
    put({
      every,
      closed,
      max_credits: maxCredits,
      month_credits: monthCredits,
      paused,
      refresh_days: closed ? days : null,
      ...(closed && every !== 'hour' ? { at: at.toISOString() } : {}),
    });
  };
  const isInvalid = maxCredits === undefined || monthCredits === undefined;
  const state = enrichment?.state;
  return (
    <Stack>
      <Status {...value} />
      {undo !== undefined && (
        <Row>
          <Button busy={runs.busy} onClick={() => runs.undo(undo.runId, true)}>
            {t('Undo fill · {rows}', { rows: formatCount(undo.rows, 'row') })}
            {undo.notFound ? ` (${t('{notFound} not found', { notFound: undo.notFound })})` : ''}
          </Button>
        </Row>
      )}
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
      <PushSwitch account={value.pushAccount} on={closed} onChange={(on) => change({ closed: on })} />
      {closed ? (
        <ClosedSheet settings={settings} keys={value.keys} monthCredits={monthCredits} onChange={change} />
      ) : (
        <Hint>
          {value.pushAccount === null
            ? t('To refresh old values on a schedule, ask your admin for a service account.')
            : t('To refresh old values on a schedule, turn on “Update the sheet while it is closed”.')}
        </Hint>
      )}
      <Trigger {...value.trigger} busy={action.busy} onRepair={repair} />
      <ErrorNotice error={action.error} />
      <Row>
        <Button
          kind="primary"
          disabled={isInvalid}
          busy={action.busy}
          onClick={() => save(state === 'paused')}
        >
          {enrichment === null ? t('Keep filled') : state === 'stopped' ? t('Resume filling') : t('Save')}
        </Button>
        {(state === 'on' || state === 'paused') && (
          <Button disabled={isInvalid} busy={action.busy} onClick={() => save(state === 'on')}>
            {state === 'on' ? t('Pause') : t('Resume')}
          </Button>
        )}
        {enrichment !== null && (
          <Button kind="quiet" busy={action.busy} onClick={() => put(null)}>
            {t('Turn off')}
          </Button>
        )}
      </Row>
    </Stack>
  );
}
