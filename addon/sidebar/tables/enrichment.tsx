// Settings of a looked-up table that is kept filled, with its budgets.
import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import type { EnrichmentSettings } from '../../../shared/api/enrichments.ts';
import { prices } from '../../../shared/families/registry.ts';
import { describeNotKeys } from '../../../shared/keys/not-keys.ts';
import { formatCount, formatNumber } from '../../../shared/lib/format-count.ts';
import type { EnrichmentState, Table, TriggerView } from '../../server/api/index.ts';
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

/** As of the gateway. */
const MAX_REACH = 1_000_000;

const formatReach = (alertAt: number | null | undefined): string => (alertAt ? formatNumber(alertAt) : '');

/** Choices for the age of values to refresh, in days. */
const AGES = [
  { value: null, label: 'Never' },
  ...[7, 30, 90].map((days) => ({ value: days, label: `Older than ${days} days` })),
];

function Status(props: EnrichmentState & { isCount: boolean }): JSX.Element {
  const { enrichment, unfilled, isCount } = props;
  if (enrichment === null) return <Hint>New rows are filled. Present rows stay as they are.</Hint>;
  const { state, problem, next_at: next, month_spent: spent, month_credits: most } = enrichment;
  const { blank, notKeys, waiting, credits } = unfilled;
  const invalid = describeNotKeys(notKeys);
  return (
    <>
      <p role="status">{STATES[state]}</p>
      <ProblemNotice problem={problem} />
      <ul class="hint">
        {!isCount && (
          <li>
            {formatNumber(spent)} of {formatCredits(most)} spent this month
          </li>
        )}
        {state !== 'on' && waiting > 0 && <li>Waiting: {formatRowPrice(waiting, credits, 'up to ')}</li>}
        {blank > 0 && (
          <li>
            {formatCount(blank, 'row')} left empty: {isCount ? 'Refresh counts them' : 'Enrich fills them'}
          </li>
        )}
        {invalid !== '' && (
          <li>
            Without {enrichment.by === 'website' ? 'a website' : 'an ID or profile link'}: {invalid}
          </li>
        )}
        {next !== null && <li>Closed sheet: next check {formatTimeUntil(next)}</li>}
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
  const ran = lastRun === undefined ? '' : ` They last ran ${formatTimeSince(lastRun)}.`;
  if (state === 'off')
    return (
      <Hint>
        New rows are filled while the sidebar is open; with Extensions → CDAPI → Complete rows on opening,
        always.
      </Hint>
    );
  if (state === 'on')
    return (
      <Hint>
        Your triggers fill new rows also while the sidebar is closed.{ran || ' They have not run yet.'}
      </Hint>
    );
  return (
    <Notice tone="warn">
      <p>
        {FAULTS[state]}
        {ran}
      </p>
      <Row>
        <Button busy={busy} onClick={onRepair}>
          Switch them on again
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
  /** Number of matches that a company reaches for an alert; '' for none. */
  reach: string;
}

/** Whether the closed sheet's companies are counted again, and which of them are told. */
function CountAgain(props: {
  settings: Settings;
  isInvalid: boolean;
  onChange: (change: Partial<Settings>) => void;
}): JSX.Element {
  const { settings, isInvalid, onChange } = props;
  return (
    <>
      <Select
        label="Count again"
        value={settings.days}
        options={[
          { value: null, label: 'Never' },
          { value: 1, label: 'At each check' },
        ]}
        onChange={(days) => onChange({ days })}
      />
      {settings.days !== null && (
        <TextField
          label="Alert me when a company reaches"
          value={settings.reach}
          hint="Leave it empty for no alert. The sheet Changes and the team’s alert addresses then name the companies that had fewer at the count before."
          error={isInvalid ? NUMBER_ERROR : undefined}
          onInput={(reach) => onChange({ reach })}
        />
      )}
      <Hint>Free. New numbers replace old ones; texts and formulas are kept.</Hint>
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
  return (
    <>
      <TimesSelect label="Check the closed sheet" times={settings} onChange={onChange} />
      {isCount ? (
        <CountAgain settings={settings} isInvalid={isReachInvalid} onChange={onChange} />
      ) : (
        <Select
          label="Also refresh values"
          value={days}
          options={AGES}
          onChange={(age) => onChange({ days: age })}
        />
      )}
      {!isCount && days !== null && (
        <Hint>
          {formatCount(keys.count, 'record')} in this table: at most {formatCredits(keys.credits)} every{' '}
          {days} days
          {monthCredits !== undefined && `, and never more than ${formatCredits(monthCredits)} a month`}. When
          these are used up, new rows aren’t filled either. Edited cells and formulas are kept. The sheet
          Changes lists the old values.
        </Hint>
      )}
      <Hint>To undo what was written to the closed sheet, use File → Version history.</Hint>
    </>
  );
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
  if (value === undefined) return <Loading of={loaded} label="Loading the settings" />;
  const { enrichment, undo } = value;
  const planned = enrichment?.next_at;
  const settings: Settings = {
    every: enrichment?.every ?? 'day',
    at: planned ? new Date(planned) : MORNING,
    days: isCount && enrichment?.closed !== true ? 1 : (enrichment?.refresh_days ?? null),
    closed: enrichment?.closed ?? false,
    run: formatNumber(enrichment?.max_credits ?? 100),
    month: formatNumber(enrichment?.month_credits ?? 1000),
    reach: formatReach(enrichment?.alert_at),
    ...changed,
  };
  const { closed, run, month, reach } = settings;
  // Counts are free.
  const maxCredits = isCount ? 0 : parseWholeNumber(run, MAX_CREDITS);
  const monthCredits = isCount ? 0 : parseWholeNumber(month, MAX_CREDITS);
  const alertAt = reach.trim() === '' ? null : parseWholeNumber(reach, MAX_REACH);
  const put = (settings: EnrichmentSettings | null): void =>
    void action.run('setEnrichment', { tableId, settings }, (saved) => {
      loaded.put(saved);
      const { state } = saved.enrichment ?? {};
      runs.report(state === undefined ? 'New rows are no longer filled.' : `Saved. ${STATES[state]}`);
      setChanged({});
    });
  const repair = (): void => void action.run('repairTriggers', { tableId }, loaded.put);
  const save = (paused: boolean): void => {
    if (maxCredits === undefined || monthCredits === undefined || alertAt === undefined) return;
    const { every, at, days } = settings;
    put({
      every,
      closed,
      max_credits: maxCredits,
      month_credits: monthCredits,
      paused,
      refresh_days: closed ? days : null,
      ...(isCount && { alert_at: closed && days !== null ? alertAt : null }),
      ...(closed && every !== 'hour' ? { at: at.toISOString() } : {}),
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
            {`Undo fill · ${formatCount(undo.rows, 'row')}${undo.notFound ? ` (${formatNumber(undo.notFound)} not found)` : ''}`}
          </Button>
        </Row>
      )}
      {!isCount && (
        <>
          <TextField
            label="Maximum credits per run"
            value={run}
            error={maxCredits === undefined ? NUMBER_ERROR : undefined}
            onInput={(text) => change({ run: text })}
          />
          <TextField
            label="Maximum credits per month"
            value={month}
            hint={`Each new record costs ${formatCredits(prices[table.family].record)}, once. Filling stops when these are used up.`}
            error={monthCredits === undefined ? NUMBER_ERROR : undefined}
            onInput={(text) => change({ month: text })}
          />
        </>
      )}
      <PushSwitch account={value.pushAccount} on={closed} onChange={(on) => change({ closed: on })} />
      {closed ? (
        <ClosedSheet
          settings={settings}
          keys={value.keys}
          monthCredits={monthCredits}
          isCount={isCount}
          isReachInvalid={alertAt === undefined}
          onChange={change}
        />
      ) : (
        <Hint>
          {isCount ? 'To count again on a schedule and get alerts,' : 'To refresh old values on a schedule,'}{' '}
          {value.pushAccount === null
            ? 'ask your admin for a service account.'
            : 'turn on “Update the sheet while it is closed”.'}
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
          {enrichment === null ? 'Keep filled' : state === 'stopped' ? 'Resume filling' : 'Save'}
        </Button>
        {(state === 'on' || state === 'paused') && (
          <Button disabled={isInvalid} busy={action.busy} onClick={() => save(state === 'on')}>
            {state === 'on' ? 'Pause' : 'Resume'}
          </Button>
        )}
        {enrichment !== null && (
          <Button kind="quiet" busy={action.busy} onClick={() => put(null)}>
            Turn off
          </Button>
        )}
      </Row>
    </Stack>
  );
}
