// The card of a table: what it contains, its last and next run, and its actions.
import type { JSX } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import type { Query } from '../../../shared/api/query.ts';
import type { Payload, Table } from '../../server/api/index.ts';
import { t } from '../../texts/texts.ts';
import { useSidebar } from '../context.ts';
import { formatCredits, formatPlace, searchableFamilies } from '../format.ts';
import { type ScriptAction, useRunDone, useScriptAction } from '../hooks.ts';
import { Disclosure, ErrorNotice, Form, Hint, Notice, Row } from '../parts/basics.tsx';
import { Confirm } from '../parts/confirm.tsx';
import { Button, Link, TextField } from '../parts/controls.tsx';
import {
  describeContents,
  describeLastFill,
  describeLastRun,
  describeNextRun,
  describeQuery,
  describeRefreshPrice,
} from './describe-table.ts';
import { KeepFilled } from './enrichment.tsx';
import { INTERVAL_LABELS, TableSchedule } from './schedule.tsx';
import { FullRecords, Refresh } from './table-runs.tsx';

const SECTIONS = [
  { name: 'refresh', label: 'Refresh', show: Refresh },
  { name: 'autoRefresh', label: 'Schedule', show: TableSchedule },
  { name: 'enrichment', label: 'Keep filled', show: KeepFilled },
] as const;

const STATE_LABELS = { paused: 'Paused', stopped: 'Stopped' } as const;

const FILLING_LABELS = { on: 'Kept filled', paused: 'Filling paused', stopped: 'Filling stopped' } as const;

/** Methods that return the changed list of tables. */
type TableMethod = 'renameTable' | 'moveTable' | 'trackCopy';

type Change = <M extends TableMethod>(method: M, payload: Payload<M>) => Promise<void>;

/** What ends the refreshing of a table is confirmed first, and can be undone: button, consequence, result. */
const ENDINGS = {
  freezeTable: [
    'Freeze table',
    'Freeze table “{title}”? Its cells become plain values and no longer refresh.',
    '“{title}” is frozen.',
  ],
  forgetTable: [
    'Stop tracking',
    'Stop tracking “{title}”? Its cells stay in the sheet.',
    '“{title}” is no longer tracked.',
  ],
} as const;

function askToEnd(ending: keyof typeof ENDINGS, { title, autoRefresh }: Table): string {
  return [
    t(ENDINGS[ending][1], { title }),
    ...(autoRefresh === undefined ? [] : [t('Its schedule ends.')]),
    t('You can undo it.'),
  ].join(' ');
}

/** Actions for a missing table: move it to a new sheet, or remove its schedule. */
function LostTable(props: {
  table: Table;
  action: ScriptAction;
  change: Change;
  onSaved: () => void;
}): JSX.Element {
  const { table, action } = props;
  const { id, title, kind, sheetDeleted, autoRefresh } = table;
  return (
    <Row>
      {sheetDeleted && (kind === 'search' || kind === 'bulk') && (
        <Button
          busy={action.busy}
          label={t('Move to a new sheet: {title}', { title })}
          onClick={() => void props.change('moveTable', { id })}
        >
          {t('Move to a new sheet')}
        </Button>
      )}
      {table.copies?.map(({ sheetId, sheet }) => (
        <Button
          key={sheetId}
          kind="quiet"
          busy={action.busy}
          onClick={() => void props.change('trackCopy', { id, sheetId })}
        >
          {t('Track its copy in “{sheet}”', { sheet })}
        </Button>
      ))}
      {autoRefresh !== undefined && (
        <Button
          kind="quiet"
          busy={action.busy}
          label={t('Remove schedule: {title}', { title })}
          onClick={() =>
            void action.run('setAutoRefresh', { tableId: id, schedule: null, push: false }, props.onSaved)
          }
        >
          {t('Remove schedule')}
        </Button>
      )}
    </Row>
  );
}

function RenameForm(props: { table: Table; busy: boolean; change: Change }): JSX.Element {
  const { id, title } = props.table;
  const [text, setText] = useState(title);
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => box.current?.querySelector('input')?.focus(), []);
  return (
    <div ref={box}>
      <Form onSend={() => props.change('renameTable', { id, title: text })}>
        <TextField label={t('Name')} value={text} onInput={setText} />
        <Row>
          <Button type="submit" busy={props.busy} disabled={text.trim() === ''}>
            {t('Save name')}
          </Button>
        </Row>
      </Form>
    </div>
  );
}

function CardHeader({ table }: { table: Table }): JSX.Element {
  const { title, frozen, gone, sheetDeleted, autoRefresh, filling, pushStopped } = table;
  return (
    <div class="between">
      <h3 class="cut" title={title}>
        {title}
      </h3>
      {!frozen && autoRefresh !== undefined && (
        <span class={autoRefresh.state === 'stopped' ? 'badge warn' : 'badge'}>
          {t(
            autoRefresh.state === 'on' ? INTERVAL_LABELS[autoRefresh.every] : STATE_LABELS[autoRefresh.state],
          )}
        </span>
      )}
      {!frozen && filling && (
        <span class={filling.state === 'stopped' ? 'badge warn' : 'badge'}>
          {t(FILLING_LABELS[filling.state])}
        </span>
      )}
      {!frozen && filling && !['on', 'off'].includes(filling.trigger) && (
        <span class="badge warn">{t('Trigger stopped')}</span>
      )}
      {!frozen && pushStopped && <span class="badge warn">{t('Updates stopped')}</span>}
      {frozen && <span class="badge">{t('Frozen')}</span>}
      {gone !== undefined && (
        <span class="badge warn">{sheetDeleted ? t('Sheet deleted') : t('Not found')}</span>
      )}
    </div>
  );
}

/** Further actions; without a function they are not possible. */
type MoreAction = [label: string, run: false | undefined | (() => void)];

function MoreActions(props: { table: Table; busy: boolean; actions: readonly MoreAction[] }): JSX.Element {
  const { title, credits, autoRefresh, filling, manualReason } = props.table;
  return (
    <Disclosure title={t('More')}>
      <Hint>
        {t('Spent: {credits}', { credits: formatCredits(credits) })}
        {autoRefresh && ` + ${t('{spent} by its schedule this month', { spent: autoRefresh.spent })}`}
        {filling && ` + ${t('{spent} by filling this month', { spent: filling.month_spent })}`}
      </Hint>
      {manualReason && <Hint>{manualReason}</Hint>}
      <Row>
        {props.actions.map(
          ([label, run]) =>
            run && (
              <Button key={label} onClick={run} busy={props.busy} label={`${label} ${title}`}>
                {label}
              </Button>
            ),
        )}
      </Row>
    </Disclosure>
  );
}

export interface CardActions {
  onTables: (tables: Table[]) => void;
  onSaved: () => void;
  onSearch: (table: Table, query: Query) => void;
  onOrderAgain: (table: Table) => void;
}

export function TableCard(
  props: CardActions & {
    table: Table;
    open: boolean;
  },
): JSX.Element {
  const { table } = props;
  const { runs } = useSidebar();
  const { id, title, kind, family, sheet, range, lastRun, gone, frozen, hasIds, query, undo, manualReason } =
    table;
  const action = useScriptAction();
  const [choice, setChoice] = useState<keyof typeof ENDINGS | 'renameTable'>();
  const [section, setSection] = useState(props.open && hasIds ? 'records' : '');
  const { kind: runKind, tableId } = runs.progress ?? {};
  useRunDone(runKind === 'records' || tableId === id, () =>
    setSection(section === 'autoRefresh' ? section : ''),
  );
  // An order that is running decides what the table will be.
  const isLive = gone === undefined && !frozen && !table.isWaiting;
  const place = formatPlace(sheet, range);
  // The schedule shows the price of its runs.
  const refreshPrice = isLive && section !== 'autoRefresh' ? describeRefreshPrice(table) : undefined;
  const isOffered = {
    refresh: kind !== 'bulk',
    // Searches at companies need the sheet to be open.
    autoRefresh: kind === 'bulk' || (kind === 'search' && table.accounts === undefined),
    enrichment: (kind === 'enrich' || kind === 'count') && (!manualReason || table.filling !== undefined),
  };
  const put = (tables: Table[]): void => {
    setChoice(undefined);
    props.onTables(tables);
  };
  const change: Change = async (method, payload) => {
    await action.run(method, payload, put);
  };
  const end = (ending: keyof typeof ENDINGS): void =>
    void action.run(ending, { id }, ({ tables, runId }) => {
      put(tables);
      const schedule =
        table.autoRefresh === undefined ? '' : ` ${t('Undo doesn’t turn its schedule on again.')}`;
      runs.report(`${t(ENDINGS[ending][2], { title })}${schedule}`, runId);
    });
  const more: MoreAction[] = [
    [t('Edit search'), query && searchableFamilies.includes(family) && (() => props.onSearch(table, query))],
    [t('Full records'), isLive && hasIds && (() => setSection('records'))],
    [
      frozen ? t('Undo freeze') : t('Undo last run'),
      undo !== undefined && !table.isWaiting && (() => runs.undo(undo, !frozen && lastRun.credits > 0)),
    ],
    [t('Rename'), () => setChoice(choice === 'renameTable' ? undefined : 'renameTable')],
    [t('Freeze'), isLive && (() => setChoice('freezeTable'))],
    [t('Stop tracking'), () => setChoice('forgetTable')],
  ];
  const sections = SECTIONS.filter(({ name }) => isLive && isOffered[name]);
  return (
    <article class="table" aria-label={title}>
      <CardHeader table={table} />
      {gone === undefined && <p>{describeContents(table)}</p>}
      {query !== undefined && <p class="hint breaks">{describeQuery(table, query)}</p>}
      <div class="hint lines">
        {gone === undefined ? (
          <Link onClick={() => void action.run('showTable', { id })} label={t('Go to {place}', { place })}>
            {place}
          </Link>
        ) : (
          sheet
        )}
        {[
          describeLastRun(table),
          table.filling?.last && describeLastFill(table.filling.last),
          isLive && describeNextRun(table),
          refreshPrice,
        ].map((line) => line && <div key={line}>{line}</div>)}
      </div>
      {gone !== undefined && <Notice tone="warn">{gone}</Notice>}
      {gone !== undefined && (
        <LostTable table={table} action={action} change={change} onSaved={props.onSaved} />
      )}
      <Row>
        {isLive && kind === 'bulk' && (
          <Button onClick={() => props.onOrderAgain(table)} label={t('Order again: {title}', { title })}>
            {t('Order again')}
          </Button>
        )}
        {sections.map(({ name, label }) => (
          <Button
            key={name}
            onClick={() => setSection(section === name ? '' : name)}
            expanded={section === name}
            label={`${t(label)} ${title}`}
          >
            {t(label)}
          </Button>
        ))}
      </Row>
      {sections.map(
        ({ name, show: Show }) =>
          section === name && <Show key={name} table={table} onSaved={props.onSaved} />,
      )}
      <MoreActions table={table} busy={runs.busy} actions={more} />
      {section === 'records' && <FullRecords table={table} />}
      {choice === 'renameTable' && <RenameForm table={table} busy={action.busy} change={change} />}
      {choice !== undefined && choice !== 'renameTable' && (
        <Confirm
          question={askToEnd(choice, table)}
          yes={t(ENDINGS[choice][0])}
          busy={action.busy}
          onYes={() => end(choice)}
          onNo={() => setChoice(undefined)}
        />
      )}
      <ErrorNotice error={action.error} />
    </article>
  );
}
