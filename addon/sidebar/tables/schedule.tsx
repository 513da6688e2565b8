// Has a table refresh by itself: how often, for how many credits, and how that went.
import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import type { Interval, ScheduleBody } from '../../../shared/api/schedules.ts';
import { intervals, maxRunsPerMonth } from '../../../shared/limits.ts';
import type { AutoRefresh, Table } from '../../server/api/index.ts';
import {
  formatCount,
  formatCredits,
  formatNumber,
  formatTimeSince,
  formatTimeUntil,
  parseWholeNumber,
} from '../format.ts';
import { useReloadWhenShown, useScriptAction, useScriptValue } from '../hooks.ts';
import { ErrorNotice, Hint, Loading, ProblemNotice, Row, Stack } from '../parts/basics.tsx';
import { Button, Select, TextField } from '../parts/controls.tsx';
import { PushSwitch } from '../parts/push-switch.tsx';

/** How often, in a word. */
export const INTERVAL_LABELS: Readonly<Record<Interval, string>> = {
  hour: 'Hourly',
  day: 'Daily',
  week: 'Weekly',
};
const MAX_CREDITS = 1_000_000;

/** How it stands. */
function ScheduleStatus({ schedule, pushed }: AutoRefresh): JSX.Element {
  const problem = schedule?.problem;
  const last = schedule?.last;
  return (
    <>
      {schedule !== null && (
        <p role="status">
          {schedule.state === 'stopped' && 'The schedule has stopped.'}
          {schedule.state === 'paused' && 'The schedule is paused.'}
          {schedule.state === 'on' &&
            (schedule.next_at === null
              ? 'The schedule is running now.'
              : `The schedule is on. Next run ${formatTimeUntil(schedule.next_at)}.`)}
        </p>
      )}
      <ProblemNotice problem={problem} />
      <ul class="hint">
        {last && (
          <li>
            Last run {formatTimeSince(last.at)}:{' '}
            {last.state === 'running' ? 'in progress' : formatCount(last.rows, 'row')} ·{' '}
            {formatCredits(last.credits)}
            {last.problem && last.problem.detail !== problem?.detail && `. ${last.problem.detail}`}
          </li>
        )}
        {schedule !== null && (
          <li>
            {formatNumber(schedule.month.spent)} of {formatCredits(schedule.month.most)} spent this month
          </li>
        )}
        {pushed !== null && pushed.state !== 'failed' && (
          <li>
            {pushed.state === 'waiting'
              ? 'Writing to the closed sheet'
              : `Written to the closed sheet ${formatTimeSince(pushed.at)}`}
            : {formatCount(pushed.rows, 'row')}
          </li>
        )}
      </ul>
      <ProblemNotice problem={pushed?.problem} />
    </>
  );
}

/** The choices, what they can cost in a month, and how it stands. */
export function TableSchedule({ table, onSaved }: { table: Table; onSaved: () => void }): JSX.Element {
  const tableId = table.id;
  const autoRefresh = useScriptValue('autoRefresh', { tableId });
  // A run that came by meanwhile changes how it stands.
  useReloadWhenShown(true, `${table.autoRefresh?.state} ${table.lastRun.at}`, autoRefresh.reload);
  const deed = useScriptAction();
  const [every, setEvery] = useState<Interval>();
  const [credits, setCredits] = useState<string>();
  const [push, setPush] = useState<boolean>();
  const { value } = autoRefresh;
  if (value === undefined) return <Loading of={autoRefresh} label="Loading the schedule" />;
  if (value.obstacle !== undefined) return <Hint>{value.obstacle}</Hint>;
  const { schedule } = value;
  const wantedEvery = every ?? schedule?.every ?? 'day';
  const typed = credits ?? formatNumber(schedule?.max_credits ?? 100);
  const wantedPush = push ?? value.push;
  const most = parseWholeNumber(typed, MAX_CREDITS);
  const put = (wanted: ScheduleBody | null): void =>
    void deed.run('setAutoRefresh', { tableId, schedule: wanted, push: wantedPush }).then((now) => {
      if (now === undefined) return;
      autoRefresh.put(now);
      onSaved();
      setEvery(undefined);
      setCredits(undefined);
      setPush(undefined);
    });
  const save = (paused: boolean): void => {
    if (most !== undefined) put({ every: wantedEvery, max_credits: most, paused });
  };
  const state = schedule?.state;
  const unable = most === undefined;
  return (
    <Stack>
      <ScheduleStatus {...value} />
      <Select
        label="Automatic refresh (new and changed rows)"
        value={wantedEvery}
        options={intervals.map((one) => ({ value: one, label: INTERVAL_LABELS[one] }))}
        onChange={(one) => setEvery(intervals.find((known) => known === one))}
      />
      <TextField
        label="Maximum credits per run"
        value={typed}
        hint={unable ? undefined : `Up to ${formatCredits(most * maxRunsPerMonth[wantedEvery])} per month.`}
        error={unable ? 'Enter a whole number, such as 100.' : undefined}
        onInput={setCredits}
      />
      <PushSwitch account={value.pushAccount} on={wantedPush} onChange={setPush} />
      <ErrorNotice refusal={deed.refusal} />
      <Row>
        <Button kind="primary" disabled={unable} busy={deed.busy} onClick={() => save(state === 'paused')}>
          {schedule === null
            ? 'Turn on schedule'
            : state === 'stopped'
              ? 'Restart schedule'
              : 'Save schedule'}
        </Button>
        {(state === 'on' || state === 'paused') && (
          <Button disabled={unable} busy={deed.busy} onClick={() => save(state === 'on')}>
            {state === 'on' ? 'Pause schedule' : 'Resume schedule'}
          </Button>
        )}
        {schedule === null && wantedPush !== value.push && (
          <Button busy={deed.busy} onClick={() => put(null)}>
            Save without schedule
          </Button>
        )}
        {schedule !== null && (
          <Button kind="quiet" busy={deed.busy} onClick={() => put(null)}>
            Turn off schedule
          </Button>
        )}
      </Row>
    </Stack>
  );
}
