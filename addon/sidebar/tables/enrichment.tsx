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

/** Choices for the age of values to refresh, in days. */
const AGES = [
  { value: null, label: 'Never' },
  ...[7, 30, 90].map((days) => ({ value: days, label: `Older than ${days} days` })),
];

function Status({ enrichment, unfilled }: EnrichmentState): JSX.Element {
  if (enrichment === null) return <Hint>New rows are filled. Present rows stay as they are.</Hint>;
  const { state, problem, next_at: next, month_spent: spent, month_credits: most } = enrichment;
  const { blank, notKeys, waiting, credits } = unfilled;
  const invalid = describeNotKeys(notKeys);
  return (
    <>
      <p role="status">{STATES[state]}</p>
      <ProblemNotice problem={problem} />
      <ul class="hint">
        <li>
          {formatNumber(spent)} of {formatCredits(most)} spent this month
        </li>
        {state !== 'on' && waiting > 0 && <li>Waiting: {formatRowPrice(waiting, credits, 'up to ')}</li>}
        {blank > 0 && <li>{formatCount(blank, 'row')} left empty: Enrich fills them</li>}
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
  return (
    <>
      <TimesSelect label="Check the closed sheet" times={settings} onChange={onChange} />
      <Select
        label="Also refresh values"
        value={days}
        options={AGES}
        onChange={(age) => onChange({ days: age })}
      />
      {days !== null && (
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
      runs.report(state === undefined ? 'New rows are no longer filled.' : `Saved. ${STATES[state]}`);
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
            {`Undo fill · ${formatCount(undo.rows, 'row')}${undo.notFound ? ` (${formatNumber(undo.notFound)} not found)` : ''}`}
          </Button>
        </Row>
      )}
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
      <PushSwitch account={value.pushAccount} on={closed} onChange={(on) => change({ closed: on })} />
      {closed ? (
        <ClosedSheet settings={settings} keys={value.keys} monthCredits={monthCredits} onChange={change} />
      ) : (
        <Hint>
          To refresh old values on a schedule,{' '}
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
