// The activity tab: budget, savings, recent runs and errors, alerts and the connection.
import type { JSX } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import type { Activity, Status } from '../../server/api/index.ts';
import { formatCount, formatNumber, type Text, t, toInline, translate } from '../../texts/texts.ts';
import { useSidebar } from '../context.ts';
import { TabLayout } from '../dock.tsx';
import { describeSpendingOff, formatCredits, formatTimeSince, formulasNote } from '../format.ts';
import {
  useMinutes,
  useReloadAfterRuns,
  useReloadOnFocus,
  useScriptAction,
  useScriptValue,
} from '../hooks.ts';
import {
  Disclosure,
  ErrorNotice,
  Figures,
  HelpLink,
  Hint,
  Loading,
  Notice,
  Row,
  Section,
  ShowMore,
  StatusText,
} from '../parts/basics.tsx';
import { Confirm } from '../parts/confirm.tsx';
import { Button, Checkbox } from '../parts/controls.tsx';
import { Alerts } from './alerts.tsx';
import { Assistant, Connect } from './connect.tsx';
import { formatAmounts, SOURCE_LABELS, UsageChart } from './usage-chart.tsx';

/** The gateway knows the source of late calls within a minute. */
const LATE_MS = 20_000;

const SHOWN_RUNS = 5;

/** `about 50%`; `0%` and `100%` are exact. */
const formatShare = (share: number): string =>
  share === 0 || share === 1
    ? `${share * 100}%`
    : t('about {percent}%', { percent: Math.min(99, Math.max(1, Math.round(share * 100))) });

function Meter(props: { label: string; spent: number; cap: number | null }): JSX.Element {
  const { label, spent, cap } = props;
  const share = cap === null || cap === 0 ? 0 : Math.min(1, spent / cap);
  const tone = share >= 1 ? 'full' : share >= 0.8 ? 'high' : 'fine';
  const text =
    cap === null ? formatCredits(spent) : t('{spent} of {credits}', { spent, credits: formatCredits(cap) });
  return (
    <div class="meter">
      <div class="between">
        <span>{label}</span>
        <span class="number">{text}</span>
      </div>
      {cap !== null && (
        // biome-ignore lint/a11y/useSemanticElements: browsers can't style <meter> consistently.
        <div
          class="track"
          role="meter"
          aria-label={t('Credits, {period}', { period: toInline(label) })}
          aria-valuenow={Math.min(spent, cap)}
          aria-valuemin={0}
          aria-valuemax={cap}
          aria-valuetext={text}
        >
          <span class={tone} style={{ width: `${share * 100}%` }} />
        </div>
      )}
    </div>
  );
}

function Credits({ activity }: { activity: Activity }): JSX.Element {
  const { budget, spent, saved, hitRate, remaining, reserved, usage } = activity;
  return (
    <Section title={t('Your team’s credits')}>
      <Meter label={t('Today')} spent={spent.day} cap={budget.day} />
      <Meter label={t('This month')} spent={spent.month} cap={budget.month} />
      <Figures
        of={{
          [t('Left')]: remaining,
          ...(reserved === 0 ? {} : { [t('Reserved')]: reserved }),
          [t('Reused this month')]: saved.month,
        }}
      />
      {reserved > 0 && <Hint>{t('Reserved for open orders and calls; the rest comes back.')}</Hint>}
      <Hint>
        {hitRate === null
          ? t('Reused is what data that was already bought would have cost, counted at each use.')
          : t(
              'Reused is what data that was already bought would have cost, counted at each use: {share} of the price of all data used this month.',
              { share: formatShare(hitRate) },
            )}
      </Hint>
      {usage !== undefined && <UsageChart usage={usage} />}
    </Section>
  );
}

function Errors({ errors }: Pick<Activity, 'errors'>): JSX.Element | null {
  if (errors.length === 0) return null;
  return (
    <Section title={t('Recent errors')}>
      <ul class="list">
        {errors.slice(0, SHOWN_RUNS).map(({ at, message, code }) => (
          <li key={at + message} class="entry">
            {message}
            <small>
              {formatTimeSince(at)} <HelpLink code={code} />
            </small>
          </li>
        ))}
      </ul>
    </Section>
  );
}

/** Labels of what no run of the list shows. */
const OTHER_LABELS: Readonly<Partial<Record<string, Text>>> = {
  table: 'Other runs',
  bulk: 'Other bulk orders',
};

/** Of what the list names elsewhere, only spent credits are missing in it. */
const isMissing = ({ source, spent }: Activity['others'][number]): boolean =>
  spent > 0 || (OTHER_LABELS[source] === undefined && source !== 'late');

/** `6 rows: 4 found, 2 without a result`. */
function formatRows({ rows, failed }: Pick<Activity['runs'][number], 'rows' | 'failed'>): string {
  const all = formatCount(rows + failed, 'row');
  return failed === 0 ? all : t('{all}: {rows} found, {failed} without a result', { all, rows, failed });
}

/** `62 credits spent today (UTC): Runs 50, Formulas 12.` */
function formatToday(spent: number, today: Activity['today']): string {
  const shares = today.flatMap((share) =>
    share.spent > 0 ? `${translate(SOURCE_LABELS[share.source])} ${formatNumber(share.spent)}` : [],
  );
  return t('{credits} spent today (UTC): {shares}.', {
    credits: formatCredits(spent),
    shares: shares.join(', '),
  });
}

function RunList({ activity }: { activity: Activity }): JSX.Element {
  const { busy, undo } = useSidebar().runs;
  const { runs, undoable, undone, today, spent } = activity;
  const others = activity.others.filter(isMissing);
  const [all, setAll] = useState(false);
  const shown = all ? runs : runs.slice(0, SHOWN_RUNS);
  return (
    <Section title={t('Your team’s recent runs')}>
      {spent.day > 0 && today.length > 0 && <Hint>{formatToday(spent.day, today)}</Hint>}
      {runs.length + others.length === 0 ? (
        <Hint>{t('No runs yet.')}</Hint>
      ) : (
        <ul class="list">
          {others.map((share) => (
            <li key={share.source} class="entry">
              {translate(OTHER_LABELS[share.source] ?? SOURCE_LABELS[share.source])}
              <small>{t('{amounts} · today', { amounts: formatAmounts(share) })}</small>
            </li>
          ))}
          {shown.map(({ id, title, credits, saved, state, ended_at, ...counts }) => (
            <li key={id} class="entry">
              <span class="breaks">{title}</span>
              <small>
                {formatRows(counts)} · {formatAmounts({ spent: credits, saved })}
                {state !== 'done' && ` · ${t(state)}`}
                {undone.includes(id) && ` · ${t('undone')}`} · {formatTimeSince(ended_at)}
              </small>
              {undoable.includes(id) && (
                <Button
                  kind="quiet"
                  label={t('Undo {title}', { title })}
                  busy={busy}
                  onClick={() => undo(id, credits > 0)}
                >
                  {t('Undo')}
                </Button>
              )}
            </li>
          ))}
        </ul>
      )}
      <ShowMore left={runs.length - shown.length} onClick={() => setAll(true)} />
    </Section>
  );
}

function describeConnection({ connection, hasCompanyConnection }: Status): string {
  const other = hasCompanyConnection ? ` ${t('To use your company’s instead, disconnect first.')}` : '';
  switch (connection?.for) {
    case 'company':
      return t(
        'You use your company’s connection. Your admin manages it; colleagues share its budget. Paste a link below to use another.',
      );
    case 'identity':
      return `${t('You are connected through your Google account, in this sidebar.')} ${t(formulasNote)}`;
    case 'sheet':
      return `${t('You use this spreadsheet’s own connection.')}${other}`;
    default:
      return `${t('You use your own connection, in the sidebar only.')}${other}`;
  }
}

function Settings(): JSX.Element {
  const { status, onStatus } = useSidebar();
  const action = useScriptAction();
  const [isConfirming, setIsConfirming] = useState(false);
  const { connection } = status;
  if (connection === null) {
    return (
      <Section title={t('Connect')}>
        <Connect />
      </Section>
    );
  }
  const isOwn = connection.for === 'me' || connection.for === 'identity';
  return (
    <Section title={t('Connection')}>
      <p>
        {t('Team')} <b>{connection.team}</b>.{' '}
        {connection.mode === 'sandbox' && t('Its sample records are fictional.')}
      </p>
      <Hint>{describeConnection(status)}</Hint>
      {!connection.spending && (
        <Notice tone="warn">
          {describeSpendingOff(status)} {t('Records your team already bought are free.')}
        </Notice>
      )}
      <Checkbox
        label={t('Spend credits in this spreadsheet')}
        hint={t('If this is off, you only get records your team already bought.')}
        checked={status.sheetSpending}
        onChange={(on) => void action.run('setSpending', { on }, onStatus)}
      />
      <ErrorNotice error={action.error} />
      {isConfirming ? (
        <Confirm
          question={
            isOwn
              ? t('Disconnect you only? Tables and values stay.')
              : t('Disconnect everyone in this spreadsheet? Tables and values stay. Formulas stop working.')
          }
          yes={t('Disconnect')}
          busy={action.busy}
          onYes={() =>
            void action
              .run('disconnect', { for: connection.for }, onStatus)
              .then(() => setIsConfirming(false))
          }
          onNo={() => setIsConfirming(false)}
        />
      ) : (
        <Row>
          <Button onClick={() => setIsConfirming(true)}>{t('Disconnect')}</Button>
        </Row>
      )}
      <Assistant />
      <Disclosure title={t('Use another connection link')}>
        <Connect />
      </Disclosure>
    </Section>
  );
}

export function ActivityTab(): JSX.Element {
  const { status, waiting, shown, visible } = useSidebar();
  const { connection } = status;
  const connected = connection !== null;
  const activity = useScriptValue('activity', connected ? {} : undefined);
  useReloadAfterRuns(activity.reload, connection?.team);
  // Formulas may have spent credits.
  useReloadOnFocus(shown, activity.reload);
  useMinutes();
  const isLate = shown && visible && activity.value?.today.some(({ source }) => source === 'late');
  // biome-ignore lint/correctness/useExhaustiveDependencies: each value that still has late calls waits again.
  useEffect(() => {
    const timer = isLate ? setTimeout(activity.reload, LATE_MS) : undefined;
    return () => clearTimeout(timer);
  }, [isLate, activity.value]);
  return (
    <TabLayout wide>
      {connected && <Loading of={activity} label={t('Loading activity')} lines={5} />}
      {connected && activity.value !== undefined && (
        <>
          <Credits activity={activity.value} />
          {waiting > 0 && (
            <StatusText>
              {t('Waiting for rows: {formulas}. Keep this sidebar open.', {
                formulas: formatCount(waiting, 'formula'),
              })}
            </StatusText>
          )}
          <Errors errors={activity.value.errors} />
          <RunList activity={activity.value} />
        </>
      )}
      {connection !== null && <Alerts scopes={connection.scopes} />}
      <Settings />
      <HelpLink />
    </TabLayout>
  );
}
