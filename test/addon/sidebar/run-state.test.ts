// The state of the sidebar's run: what each event makes of it.
import { describe, expect, it } from 'vitest';
import type { Progress } from '../../../addon/server/api/index.ts';
import {
  initialRunState,
  isBusy,
  isFree,
  isReport,
  isWriting,
  type RunEvent,
  type RunState,
  reduceRun,
} from '../../../addon/sidebar/run-state.ts';

const running: Progress = {
  runId: 'run',
  kind: 'search',
  title: 'Companies',
  family: 'company_base',
  state: 'running',
  done: 20,
  total: 40,
  rows: 20,
  failed: {},
  credits: 10,
  saved: 0,
  maxCredits: 20,
  sheet: 'Companies',
  tableId: 'table',
  startedAt: '2026-11-22T12:00:00.000Z',
  undo: { possible: true },
};
const done: Progress = { ...running, state: 'done', done: 40, rows: 40, credits: 20 };
const offline = { ok: false, message: 'You are offline.' } as const;
const report: RunEvent = { type: 'succeeded', message: { sentence: 'Saved.' } };

const reach = (...events: RunEvent[]): RunState => events.reduce(reduceRun, initialRunState);
const started: RunEvent = { type: 'started', progress: running };
const stepped = (progress: Progress): RunEvent => ({ type: 'stepped', reply: { ok: true, value: progress } });

describe('a run', () => {
  it('is busy from its start to its end, counts its end, and is then shown as a report', () => {
    const calling = reach(report, { type: 'called', method: 'startSearch' });
    expect(calling).toMatchObject({ kind: 'idle', calling: 'startSearch', message: undefined });
    expect([isBusy(calling), isFree(calling)]).toEqual([true, false]);
    const writing = reduceRun(calling, started);
    expect(writing.kind).toBe('running');
    expect([isBusy(writing), isFree(writing), isWriting(writing)]).toEqual([true, false, true]);
    const ended = reduceRun(writing, stepped(done));
    expect(ended).toMatchObject({ kind: 'done', progress: done, ends: 1 });
    expect([isBusy(ended), isFree(ended), isWriting(ended), isReport(ended)]).toEqual([
      false,
      true,
      false,
      true,
    ]);
  });

  it('is paused by a failed step, and resumes without its failure', () => {
    const paused = reach(started, { type: 'stepped', reply: offline });
    expect(paused).toMatchObject({
      kind: 'done',
      progress: { state: 'paused', rows: 20, failure: { message: offline.message } },
      ends: 1,
    });
    expect(isReport(paused)).toBe(false);
    expect(reduceRun(paused, { type: 'errorsCleared' })).not.toHaveProperty('progress.failure');
  });

  it('goes on while it waits, but does not disable the forms', () => {
    const waiting = reach(started, stepped({ ...running, state: 'paused', waitMs: 3000 }));
    expect(waiting.kind).toBe('running');
    expect(isWriting(waiting)).toBe(false);
  });

  it('stops when its step has returned, also if that fails', () => {
    const stopping = reach(started, { type: 'stopRequested' });
    expect(stopping.kind).toBe('stopping');
    expect(reduceRun(stopping, stepped(running)).kind).toBe('stopping');
    expect(reduceRun(stopping, stepped(done)).kind).toBe('done');
    const stopped = { ...running, state: 'stopped' } as const;
    expect(reduceRun(stopping, { type: 'stopped', reply: { ok: true, value: stopped } })).toMatchObject({
      kind: 'done',
      progress: stopped,
    });
    expect(reduceRun(stopping, { type: 'stopped', reply: offline })).toMatchObject({
      kind: 'failed',
      error: offline,
      progress: stopped,
      ends: 1,
    });
  });

  it('that has ended already is shown as ended', () => {
    expect(reach({ type: 'started', progress: done })).toMatchObject({ kind: 'done', ends: 1 });
  });

  it('that was closed ignores a late step', () => {
    expect(reach(stepped(running))).toEqual(initialRunState);
  });

  it('that could not start leaves its error, which closing the report removes', () => {
    const failed = reach({ type: 'called', method: 'startSearch' }, { type: 'answered', error: offline });
    expect(failed).toMatchObject({ kind: 'failed', error: offline, progress: undefined });
    expect(isFree(failed)).toBe(true);
    expect(reduceRun(failed, { type: 'reportClosed' })).toEqual(initialRunState);
  });
});

describe('a question', () => {
  const question = { text: 'Replace 2 cells?', overwrite: undefined, confirm: () => {} };

  it('takes the place of a report, and is closed', () => {
    const asking = reach(started, stepped(done), { type: 'asked', question });
    expect(asking).toEqual({ kind: 'asking', question, ends: 1, message: undefined });
    expect([isBusy(asking), isFree(asking)]).toEqual([false, false]);
    expect(reduceRun(asking, { type: 'closed' })).toEqual({ ...initialRunState, ends: 1 });
  });
});

describe('rows that arrive by themselves', () => {
  const arrive: RunEvent[] = [
    { type: 'called', method: 'writeDelivery' },
    { type: 'started', progress: running, title: 'Jobs' },
  ];

  it('become a message beside the report that was shown', () => {
    const state = reach(started, stepped(done), ...arrive);
    expect([isBusy(state), isWriting(state)]).toEqual([true, false]);
    expect(reduceRun(state, stepped({ ...done, runId: 'arrival', sheet: 'Jobs' }))).toMatchObject({
      kind: 'done',
      calling: undefined,
      progress: done,
      ends: 2,
      message: {
        sentence: '40 rows arrived in “Jobs” on sheet “Jobs”. 20 credits charged.',
        undo: 'arrival',
        isPaid: true,
      },
    });
  });

  it('leave a message and an error as they were if there are none', () => {
    const failed = reach(report, { type: 'called', method: 'undo' }, { type: 'answered', error: offline });
    const state = [...arrive, stepped({ ...done, rows: 0 })].reduce(reduceRun, failed);
    expect(state).toEqual({ ...failed, ends: 1 });
  });

  it('that could not be written leave a run to resume', () => {
    expect(reach(...arrive, { type: 'stepped', reply: offline })).toMatchObject({
      kind: 'done',
      progress: { state: 'paused' },
    });
  });
});

describe('Undo', () => {
  const undo: RunEvent = { type: 'called', method: 'undo' };

  it('keeps the report until it has succeeded', () => {
    const undoing = reach(started, stepped(done), undo);
    expect(undoing).toMatchObject({ kind: 'done', calling: 'undo' });
    expect(reduceRun(undoing, { type: 'answered', error: offline })).toMatchObject({
      kind: 'failed',
      error: offline,
      progress: done,
    });
    const result = { cells: 140, sheet: 'Companies', before: { runId: 'earlier', isPaid: false } };
    expect(reduceRun(undoing, { type: 'undone', result, isPaid: true })).toEqual({
      ...initialRunState,
      ends: 1,
      message: {
        sentence:
          'Undone in “Companies” (140 cells restored). Credits aren’t refunded; your team keeps the data.',
        undo: 'earlier',
        isPaid: false,
        undoLabel: 'Undo the run before',
      },
    });
  });

  it('goes on after the report was closed', () => {
    const undoing = reach(started, stepped(done), undo, { type: 'reportClosed' });
    expect(undoing).toMatchObject({ kind: 'idle', calling: 'undo' });
  });
});

it.each([
  [{ rows: 1, notFound: 0, credits: 0 }, '1 new row in Companies was filled for free: you have the data.'],
  [{ rows: 3, notFound: 1, credits: 20 }, '3 new rows in Companies: 2 filled for 20 credits, 1 not found.'],
])('a fill of %o is announced', (counts, sentence) => {
  const fill = {
    runId: 'fill',
    at: running.startedAt,
    tables: [{ id: 'table', title: 'Companies' }],
    ...counts,
  };
  expect(reach({ type: 'filled', fill }).message).toEqual({
    sentence,
    undo: 'fill',
    isPaid: counts.credits > 0,
  });
});
