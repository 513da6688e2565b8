// Progress, result and messages of the current run.
import type { ComponentChildren, JSX } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { getHelpAnchor } from '../../shared/help-path.ts';
import { type CellError, cellErrors } from '../../shared/problems.ts';
import { isCellError } from '../lib/cell-errors.ts';
import type { Progress } from '../server/api/index.ts';
import { describeNotKeys } from '../texts/not-keys.ts';
import { formatCount, formatNumber, plural, t, translate } from '../texts/texts.ts';
import { useSidebar } from './context.ts';
import { addKnownPrice, formatBudget, formatCompanyLimit, formatCredits, formatWithout } from './format.ts';
import { ErrorNotice, HelpLink, Hint, Notice, Row } from './parts/basics.tsx';
import { Button, IconButton, Link } from './parts/controls.tsx';
import { isInactive, type SuccessMessage } from './run-state.ts';
import { callScript } from './script.ts';

/** Returns the label of an error word of cells; undefined for another text. */
export const getFailureLabel = (word: string): string | undefined =>
  isCellError(word) ? translate(cellErrors[word].label) : undefined;

const listFailures = ({ failed }: Progress): CellError[] =>
  Object.keys(failed)
    .filter(isCellError)
    .filter((word) => failed[word]);

/**
 * `50 credits charged, as shown`, `40 credits charged (shown: 50)`, `40 credits charged, 20 to compare names`. The price of a
 * bulk order is not that of its rows.
 */
function formatCharge({ kind, credits, maxCredits, comparison }: Progress): string {
  const sum = formatCredits(credits);
  const charged = comparison
    ? t('{sum} charged, {comparison} to compare names', { sum, comparison })
    : t('{sum} charged', { sum });
  if (kind === 'bulk' || maxCredits === 0) return charged;
  return credits === maxCredits
    ? t('{charged}, as shown', { charged })
    : t('{charged} (shown: {maxCredits})', { charged, maxCredits });
}

/** `1 not found (row 14)`, `7 invalid (rows 2, 4, 5, 9, 12 …; 6 names, 1 private e-mail address)`. */
function formatFailed({ failed, failedRows = {}, notKeys = {} }: Progress, word: CellError): string {
  const { [word]: number = 0 } = failed;
  const { [word]: rows = [] } = failedRows;
  const more = number > rows.length ? ' …' : '';
  const list = rows.length === 0 ? '' : `${plural(number, 'row')} ${rows.join(', ')}${more}`;
  const details = [list, word === '#INVALID_KEY' ? describeNotKeys(notKeys) : ''].filter(Boolean).join('; ');
  return `${formatNumber(number)} ${translate(cellErrors[word].label)}${details && ` (${details})`}`;
}

const countRows = ({ rows, failed, perCompany }: Progress): number =>
  perCompany === undefined ? Object.values(failed).reduce((sum, number) => sum + number, rows) : rows;

const getFoundWord = ({ kind }: Progress): string => (kind === 'count' ? t('counted') : t('found'));

/** `20 of 40 rows new or changed`: an update writes only these. False if all rows were written. */
function formatUpdate(progress: Progress): string | false {
  const { rows, done } = progress;
  const all = formatCount(done, 'row');
  const update =
    rows === 0 ? t('{all}, nothing changed', { all }) : t('{rows} of {all} new or changed', { rows, all });
  return done > countRows(progress) && update;
}

/** `4 of 16 found · 40 credits`; without failed rows `16 of 16 rows · 160 credits`. */
function formatResult(progress: Progress): string {
  const { rows, credits, perCompany } = progress;
  const price = credits === 0 ? t('free') : formatCredits(credits);
  const all = formatUpdate(progress) || (perCompany !== undefined && formatCount(rows, 'row'));
  if (all) return `${all} · ${price}`;
  // Rows may have been deleted since the price was shown.
  const total = Math.max(progress.total, countRows(progress));
  const share = t('{done} of {total}', { done: rows, total });
  return `${share} ${rows < total ? getFoundWord(progress) : plural(total, 'row')} · ${price}`;
}

/**
 * `16 rows: 4 found, 12 not found (rows 2, 3, 5, 6, 8 …) · 40 credits charged`; without failed rows `16 rows · 160 credits
 * charged`; at companies `23 rows · 1 company without rows · 20 credits charged`.
 */
function formatOutcome(progress: Progress): string {
  const { rows, saved, perCompany } = progress;
  const failures = listFailures(progress);
  const outcomes = [
    `${formatNumber(rows)} ${getFoundWord(progress)}`,
    ...failures.map((word) => formatFailed(progress, word)),
  ];
  const isAtCompanies = perCompany !== undefined;
  const all =
    formatUpdate(progress) ||
    formatCount(countRows(progress), 'row') +
      (isAtCompanies || failures.length === 0 ? '' : `: ${outcomes.join(', ')}`);
  return [
    all,
    ...(isAtCompanies ? failures.map((word) => formatWithout(progress.failed[word] ?? 0)) : []),
    ...(perCompany ? [formatCompanyLimit(perCompany)] : []),
    formatCharge(progress),
    ...(saved > 0 ? [t('{credits} of data reused', { credits: formatCredits(saved) })] : []),
  ].join(' · ');
}

/** `Resume · up to 30 credits`, `Resume · free`. */
export const formatResume = ({ maxCredits, credits }: Progress): string =>
  addKnownPrice(t('Resume'), Math.max(0, maxCredits - credits), t('up to '));

const HEADINGS = {
  running: 'Writing',
  waiting: 'Waiting',
  paused: 'Paused',
  stopped: 'Stopped',
  done: 'Done',
} as const;

function UndoButton(props: {
  undo: string | false | undefined;
  label?: string | undefined;
  isPaid: boolean;
}): JSX.Element | null {
  const { undo, label = t('Undo'), isPaid } = props;
  const { runs } = useSidebar();
  if (!undo) return null;
  return (
    <Button kind="quiet" onClick={() => runs.undo(undo, isPaid)} busy={runs.busy}>
      {label}
    </Button>
  );
}

/** The companies of a search without people or jobs, one line each, to copy. */
function CompaniesWithout({
  progress: { without = [], failed },
}: {
  progress: Progress;
}): JSX.Element | null {
  if (without.length === 0) return null;
  const left = Object.values(failed).reduce((sum, count) => sum + count, 0) - without.length;
  return (
    <>
      <br />
      {formatWithout(without.length + left)}:
      <ul class="breaks">
        {without.map((company) => (
          <li key={company}>{company}</li>
        ))}
        {left > 0 && <li>{t('and {left} more', { left })}</li>}
      </ul>
    </>
  );
}

function CloseButton(): JSX.Element {
  const { dispatch } = useSidebar().runs;
  return <IconButton sign="remove" label={t('Close')} onClick={() => dispatch({ type: 'closed' })} />;
}

/**
 * Shows the progress of a run and, once it is done, its result in one line with details on demand.
 * @param props.extra - additional button of an ended run
 */
export function RunView(props: { progress: Progress; extra: ComponentChildren }): JSX.Element {
  const { progress } = props;
  const { runs, remaining } = useSidebar();
  const isStopping = runs.state.kind === 'stopping';
  const {
    runId,
    kind,
    tableId,
    state,
    done,
    total,
    title,
    sheet,
    failure,
    undo,
    waitMs,
    credits,
    maxCredits,
  } = progress;
  const isWaiting = state === 'paused' && waitMs !== undefined;
  const isDone = state === 'done';
  const heading = t(HEADINGS[isWaiting ? 'waiting' : state]);
  const failedWord = progress.perCompany === undefined ? listFailures(progress)[0] : undefined;
  const box = useRef<HTMLElement>(null);
  useEffect(() => {
    // The button that had the focus is gone: keyboard users continue here.
    if (document.activeElement === document.body) box.current?.focus();
  }, []);
  const isEnded = isInactive(progress);
  const canResume = isEnded && !isDone && done < total;
  const undoButton = <UndoButton undo={undo.possible && runId} isPaid={credits > 0} />;
  return (
    <section class="run" ref={box} tabIndex={-1} aria-label={`${heading}: ${title}`}>
      <div class={isEnded ? 'between report' : 'between'}>
        {isDone ? (
          <>
            <details class="hint">
              <summary>
                <b>{heading}</b> {formatResult(progress)}
              </summary>
              {title}. {formatOutcome(progress)}. {!undo.possible && undo.why}{' '}
              {failedWord && <HelpLink code={getHelpAnchor(failedWord)} />}
              <CompaniesWithout progress={progress} />
            </details>
            {undoButton}
          </>
        ) : (
          <>
            <h2>
              {heading} <span class="title">{title}</span>
            </h2>
            {total > 0 && <span class="number">{t('{done} of {total}', { done, total })}</span>}
          </>
        )}
        {isEnded && <CloseButton />}
      </div>
      {!isDone && (
        <progress
          class={state}
          value={done}
          max={Math.max(1, total)}
          aria-label={t('{title}: {done} of {total} rows', { title, done, total })}
        />
      )}
      <p class={isDone ? 'unseen' : 'hint'} role="status">
        {isStopping
          ? `${t('Stopping …')} ${maxCredits > 0 ? `${t('Calls that were sent are charged.')} ` : ''}`
          : state === 'running'
            ? `${t('Writing to “{sheet}”.', { sheet })} `
            : ''}
        {formatOutcome(progress)}
      </p>
      {canResume && <Hint>{formatBudget(remaining, maxCredits - credits)}</Hint>}
      {failure !== undefined && <Notice tone="warn">{failure.message}</Notice>}
      <ErrorNotice error={runs.state.kind === 'failed' ? runs.state.error : undefined} />
      <Row>
        {(state === 'running' || isWaiting) && (
          <Button onClick={runs.stop} busy={isStopping} label={t('Stop {title}', { title })}>
            {t('Stop')}
          </Button>
        )}
        {canResume && (
          <Button kind="primary" onClick={() => runs.resume(progress)} busy={runs.busy}>
            {formatResume(progress)}
          </Button>
        )}
        {isEnded && props.extra}
        {isDone && kind === 'refresh' && (
          <Link onClick={() => void callScript('showTable', { id: tableId })}>
            {t('Go to “{sheet}”', { sheet })}
          </Link>
        )}
        {isEnded && !isDone && undoButton}
      </Row>
    </section>
  );
}

export function SuccessNotice({ message }: { message: SuccessMessage }): JSX.Element {
  const { sentence, undo, undoLabel, isPaid } = message;
  return (
    <Notice tone="success">
      <div class="report">
        <span role="status">{sentence}</span>
        <UndoButton undo={undo} label={undoLabel} isPaid={isPaid === true} />
        <CloseButton />
      </div>
    </Notice>
  );
}
