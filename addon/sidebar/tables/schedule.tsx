// Settings and status of a table's schedule.
import type { ComponentChildren, JSX } from 'preact';
import { useState } from 'preact/hooks';
import type { TableReport } from '../../../shared/api/enrichments.ts';
import type { Interval, Schedule, ScheduleBody } from '../../../shared/api/schedules.ts';
import { intervals, maxRunsPerMonth, maxSnapshots } from '../../../shared/limits.ts';
import type { AutoRefresh, Table } from '../../server/api/index.ts';
import { formatCount, formatNumber, getLanguage, type Text, t } from '../../texts/texts.ts';
import { formatCredits, formatTimeSince, formatTimeUntil, parseWholeNumber } from '../format.ts';
import { type ScriptAction, useReloadWhenShown, useScriptAction, useScriptValue } from '../hooks.ts';
import { describeDetail, ErrorNotice, Hint, Loading, ProblemNotice, Row, Stack } from '../parts/basics.tsx';
import { Button, Checkbox, Select, TextField } from '../parts/controls.tsx';
import { PushSwitch } from '../parts/push-switch.tsx';
import { listScheduleLimits, suggestMaxCredits } from './describe-table.ts';

export const INTERVAL_LABELS = {
  hour: 'Hourly',
  day: 'Daily',
  week: 'Weekly',
} as const satisfies Record<Interval, Text>;
export const MAX_CREDITS = 1_000_000;
const COPIES = [0, 1, 3, 5, 10, 20, maxSnapshots];

function ScheduleStatus({ schedule, lastPush, pushProblem }: AutoRefresh): JSX.Element {
  const problem = schedule?.problem;
  const last = schedule?.last;
  return (
    <>
      {schedule !== null && (
        <p role="status">
          {schedule.state === 'stopped' && t('The schedule has stopped.')}
          {schedule.state === 'paused' && t('The schedule is paused.')}
          {schedule.state === 'on' &&
            (schedule.next_at === null
              ? t('The schedule is running now.')
              : t('The schedule is on. Next run {time}.', { time: formatTimeUntil(schedule.next_at) }))}
        </p>
      )}
      <ProblemNotice problem={problem} />
      <ul class="hint">
        {last && (
          <li>
            {t('Last run {since}: {rows}', {
              since: formatTimeSince(last.at),
              rows: last.state === 'running' ? t('in progress') : formatCount(last.rows, 'row'),
            })}{' '}
            · {formatCredits(last.credits)}
            {last.problem &&
              last.problem.detail !== problem?.detail &&
              `. ${describeDetail(last.problem.detail)}`}
          </li>
        )}
        {schedule !== null && (
          <li>
            {t('{spent} of {credits} spent this month', {
              spent: schedule.month.spent,
              credits: formatCredits(schedule.month.max_credits),
            })}
          </li>
        )}
        {lastPush !== null && lastPush.state !== 'failed' && pushProblem === undefined && (
          <li>
            {lastPush.state === 'waiting'
              ? t('Writing to the closed sheet')
              : t('Written to the closed sheet {time}', { time: formatTimeSince(lastPush.at) })}
            : {formatCount(lastPush.rows, 'row')}
          </li>
        )}
      </ul>
      <ProblemNotice problem={pushProblem ?? lastPush?.problem} />
    </>
  );
}

const HOURS = Array.from({ length: 24 }, (_, hour) => ({ value: hour, label: `${hour}:00` }));
/** Numbers as in `Date`. */
const listWeekdays = (): { value: number; label: string }[] =>
  Array.from({ length: 7 }, (_, value) => ({
    value,
    // The first of February 2026 is a Sunday.
    label: new Date(2026, 1, 1 + value).toLocaleDateString(getLanguage().locale, { weekday: 'long' }),
  }));
/** The hour and weekday of a new schedule. */
export const MORNING = new Date(2026, 1, 2, 7);

/** Moves a time to a weekday and an hour, in the person's time zone. */
const moveTime = (at: Date, weekday: number, hour: number): Date =>
  new Date(at.getFullYear(), at.getMonth(), at.getDate() + weekday - at.getDay(), hour);

export interface RunTimes {
  every: Interval;
  at: Date;
}

/** When something runs: an interval, an hour, and for weekly runs a weekday. */
export function TimesSelect(props: {
  label: string;
  times: RunTimes;
  onChange: (change: Partial<RunTimes>) => void;
}): JSX.Element {
  const { label, times, onChange } = props;
  const { every, at } = times;
  return (
    <>
      <Select
        label={label}
        value={every}
        options={intervals.map((value) => ({ value, label: t(INTERVAL_LABELS[value]) }))}
        onChange={(interval) => onChange({ every: interval })}
      />
      {every === 'week' && (
        <Select
          label={t('Weekday')}
          value={at.getDay()}
          options={listWeekdays()}
          onChange={(day) => onChange({ at: moveTime(at, day, at.getHours()) })}
        />
      )}
      {every !== 'hour' && (
        <Select
          label={t('Hour (your time)')}
          value={at.getHours()}
          options={HOURS}
          onChange={(hour) => onChange({ at: moveTime(at, at.getDay(), hour) })}
        />
      )}
    </>
  );
}

/** Buttons that save, pause, resume and turn off a schedule or an enrichment, and the error of the last click. */
export function SettingsButtons(props: {
  action: Pick<ScriptAction, 'busy' | 'error'>;
  /** Undefined if it is off. */
  state: Schedule['state'] | undefined;
  saveLabel: string;
  isInvalid: boolean;
  onSave: (paused: boolean) => void;
  onTurnOff: () => void;
  children?: ComponentChildren;
}): JSX.Element {
  const { action, state, saveLabel, isInvalid, onSave, onTurnOff, children } = props;
  const { busy, error } = action;
  return (
    <>
      <ErrorNotice error={error} />
      <Row>
        <Button kind="primary" disabled={isInvalid} busy={busy} onClick={() => onSave(state === 'paused')}>
          {saveLabel}
        </Button>
        {(state === 'on' || state === 'paused') && (
          <Button disabled={isInvalid} busy={busy} onClick={() => onSave(state === 'on')}>
            {state === 'on' ? t('Pause') : t('Resume')}
          </Button>
        )}
        {children}
        {state !== undefined && (
          <Button kind="quiet" busy={busy} onClick={onTurnOff}>
            {t('Turn off')}
          </Button>
        )}
      </Row>
    </>
  );
}

interface Settings extends RunTimes {
  credits: string;
  push: boolean;
  skipDeleted: boolean;
  report: TableReport;
}

function getSaveLabel({ schedule, pushProblem }: AutoRefresh): string {
  if (schedule === null) return t('Turn on schedule');
  if (schedule.problem?.code === 'unauthorised' || pushProblem !== undefined) return t('Take over schedule');
  return schedule.state === 'stopped' ? t('Restart schedule') : t('Save');
}

export function TableSchedule({ table, onSaved }: { table: Table; onSaved: () => void }): JSX.Element {
  const tableId = table.id;
  const autoRefresh = useScriptValue('autoRefresh', { tableId });
  // A run changes the status.
  useReloadWhenShown(true, `${table.autoRefresh?.state} ${table.lastRun.at}`, autoRefresh.reload);
  const action = useScriptAction();
  const [changed, setChanged] = useState<Partial<Settings>>({});
  const change = (more: Partial<Settings>): void => setChanged({ ...changed, ...more });
  const { value } = autoRefresh;
  if (value === undefined) return <Loading of={autoRefresh} label={t('Loading the schedule')} />;
  if (value.obstacle !== undefined) return <Hint>{value.obstacle}</Hint>;
  const { schedule } = value;
  const plannedAt = schedule?.next_at ?? schedule?.last?.at;
  const settings: Settings = {
    every: schedule?.every ?? 'day',
    at: plannedAt === undefined ? MORNING : new Date(plannedAt),
    credits: formatNumber(schedule?.max_credits ?? suggestMaxCredits(table)),
    push: value.push,
    skipDeleted: value.skipDeleted,
    report: value.report,
    ...changed,
  };
  const { every, at, credits, push, skipDeleted, report } = settings;
  const maxCredits = parseWholeNumber(credits, MAX_CREDITS);
  const put = (body: ScheduleBody | null): void =>
    void action.run(
      'setAutoRefresh',
      { tableId, schedule: body, push, skipDeleted, ...(changed.report && { report }) },
      (saved) => {
        autoRefresh.put(saved);
        onSaved();
        setChanged({});
      },
    );
  const save = (paused: boolean): void => {
    if (maxCredits === undefined) return;
    const time = every === 'hour' ? {} : { at: at.toISOString() };
    put({ every, max_credits: maxCredits, paused, ...time });
  };
  const isInvalid = maxCredits === undefined;
  const isChanged = push !== value.push || changed.report !== undefined;
  return (
    <Stack>
      <ScheduleStatus {...value} />
      <TimesSelect label={t('Automatic refresh (new and changed rows)')} times={settings} onChange={change} />
      <TextField
        label={t('Maximum credits per run')}
        value={credits}
        hint={isInvalid ? undefined : listScheduleLimits(table, maxCredits, maxRunsPerMonth[every]).join(' ')}
        error={isInvalid ? t('Enter a whole number, such as 100.') : undefined}
        onInput={(text) => change({ credits: text })}
      />
      <PushSwitch account={value.pushAccount} on={push} onChange={(on) => change({ push: on })} />
      {!push && (
        <Checkbox
          label={t('Deleted rows stay away')}
          hint={t('A row that you delete doesn’t come back when its record changes.')}
          checked={skipDeleted}
          onChange={(skips) => change({ skipDeleted: skips })}
        />
      )}
      {push && (
        <>
          <Checkbox
            label={t('List changes in the sheet Changes')}
            checked={report.changes}
            onChange={(changes) => change({ report: { ...report, changes } })}
          />
          <Select
            label={t('Dated copies to keep')}
            value={report.snapshots}
            options={COPIES.map((count) => ({
              value: count,
              label: count === 0 ? t('None') : String(count),
            }))}
            onChange={(snapshots) => change({ report: { ...report, snapshots } })}
          />
          <Checkbox
            label={t('Let assistants append rows')}
            checked={report.assistants === true}
            onChange={(assistants) => change({ report: { ...report, assistants } })}
          />
        </>
      )}
      <SettingsButtons
        action={action}
        state={schedule?.state}
        saveLabel={getSaveLabel(value)}
        isInvalid={isInvalid}
        onSave={save}
        onTurnOff={() => put(null)}
      >
        {schedule === null && (isChanged || value.pushProblem !== undefined) && (
          <Button busy={action.busy} onClick={() => put(null)}>
            {isChanged ? t('Save without schedule') : t('Take over updates')}
          </Button>
        )}
      </SettingsButtons>
    </Stack>
  );
}
