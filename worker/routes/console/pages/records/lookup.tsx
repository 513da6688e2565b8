// The look-up of a record: when it was bought, by which team, how fresh it is; and its refresh.
import type { RecordView } from '../../../../../shared/api/admin-records.ts';
import { familyNames } from '../../../../../shared/families/names.ts';
import { families, familyLabels } from '../../../../../shared/families/registry.ts';
import { formatNumber } from '../../../../../shared/lib/format-count.ts';
import { getRecordPrice } from '../../../../../shared/operations.ts';
import { Badge, type Column, Facts, formatCredits, Table, Time } from '../../components/data.tsx';
import { Field, Form, FormCard, Hidden, readText, Select } from '../../components/form.tsx';
import { numbers, Payer, TeamLink, times } from '../../components/list.tsx';
import { findTeamId, listTeamChoices, TeamSelect } from '../../components/team-select.tsx';
import { ledgerKindLabels, type Options, operationLabels } from '../../components/texts.ts';
import type { Action, FailedForm, Page, PageContent } from '../../context.ts';
import { ERASURES, RECORDS } from '../paths.ts';
import { eraseActions, readRecord } from './erasures.tsx';
import { FindPersonForm, findActions } from './find-person.tsx';

type RecordLedgerLine = RecordView['ledger_entries'][number];

const familyOptions = familyNames.map((name) => [name, familyLabels[name].name] as const);

/** A person has records of these families only. */
const personOptions = familyOptions.filter(([name]) => families[name].subject === 'employee');

const LookupForm = ({ failed }: { failed?: FailedForm | undefined }) => (
  <section class="card">
    <Form action={RECORDS} submit="Look it up" failed={failed}>
      <Select label="Data" name="family" options={familyOptions} />
      <Field
        label="Key"
        name="key"
        hint="A website, id, shorthand name or profile URL. It is not stored in the address or in a log."
        required
      />
    </Form>
  </section>
);

const ReportForm = ({ failed }: { failed?: FailedForm | undefined }) => (
  <section class="card">
    <h2>Subject access report</h2>
    <p>
      Lists what is stored of a person: cached records, rows of bulk orders, an account of the add-on, and
      erasures.
    </p>
    <Form action={`${RECORDS}/report`} submit="Download the report" failed={failed}>
      <Select label="Data of the person" name="subject_family" options={personOptions} />
      <Field label="Key of the person" name="subject_key" hint="An id, shorthand name or profile URL." />
      <Field label="E-mail address" name="email" hint="Finds the person’s account of the add-on." />
    </Form>
  </section>
);

const State = ({ view: { cached, erased } }: { view: RecordView }) => {
  if (erased) return <Badge tone="bad">erased: every look-up of it is refused</Badge>;
  if (cached === null) return <Badge>not in the cache</Badge>;
  return cached.found ? (
    <Badge tone="good">in the cache</Badge>
  ) : (
    <Badge>the provider has no such record</Badge>
  );
};

const Summary = ({ view }: { view: RecordView }) => (
  <section class="card">
    <h2>Record</h2>
    <Facts
      facts={[
        ['Data', familyLabels[view.family].name],
        [view.key.kind.replaceAll('_', ' '), <code>{view.key.value}</code>],
        ['State', <State view={view} />],
        ['Rows of bulk orders', formatNumber(view.rows)],
        ...(view.cached === null
          ? []
          : ([
              ['Bought or checked', <Time at={view.cached.fetched_at} />],
              ['Fresh until', <Time at={view.cached.fresh_until} />],
              ['Kept until', <Time at={view.cached.keep_until} />],
            ] as const)),
      ]}
    />
  </section>
);

/** Renders the values that name the record in another form. */
const RecordFields = ({ view }: { view: RecordView }) => (
  <>
    <Hidden name="family" value={view.family} />
    <Hidden name="key" value={view.key.value} />
  </>
);

const Refresh = ({ view, teams }: { view: RecordView; teams: Options }) => (
  <FormCard action={`${RECORDS}/refresh`} title="Buy it again">
    <p>
      Replaces the record in the cache for every team. It costs {formatCredits(getRecordPrice(view.family))},
      also if nothing has changed.
    </p>
    <Form action={`${RECORDS}/refresh`} submit="Buy it again">
      <RecordFields view={view} />
      <TeamSelect label="The team that pays" teams={teams} />
    </Form>
  </FormCard>
);

const Erase = ({ view }: { view: RecordView }) => (
  <FormCard action={`${RECORDS}/erase/preview`} title="Erase">
    <p>
      Removes the person or company everywhere, and refuses it from then on. The next page says what will be
      found.
    </p>
    <Form action={`${RECORDS}/erase/preview`} submit="See what would be erased">
      <RecordFields view={view} />
    </Form>
  </FormCard>
);

const listColumns = (names: ReadonlyMap<string, string>): readonly Column<RecordLedgerLine>[] => [
  times('When', ({ at }) => at),
  { label: 'Team', render: ({ team }) => <TeamLink id={team} name={names.get(team) ?? null} /> },
  {
    label: 'Who',
    render: ({ token, token_name }) => <Payer token={token} name={token_name} />,
  },
  { label: 'What', render: ({ kind }) => ledgerKindLabels[kind] },
  { label: 'Operation', render: ({ operation }) => (operation === null ? '' : operationLabels[operation]) },
  numbers('Credits', ({ credits }) => credits),
];

const MoreTeams = ({ view }: { view: RecordView }) =>
  view.next === null ? null : (
    <Form action={RECORDS} submit="Ask the ledgers of more teams">
      <RecordFields view={view} />
      <Hidden name="after" value={view.next} />
    </Form>
  );

function renderRecord(view: RecordView, teams: Options, title: string): PageContent {
  return {
    title,
    body: (
      <>
        <div class="columns">
          <Summary view={view} />
          {view.erased ? null : <Refresh view={view} teams={teams} />}
          <Erase view={view} />
        </div>
        <h2>Who bought it</h2>
        <Table
          caption="Ledger lines about this record, newest first"
          columns={listColumns(new Map(teams))}
          rows={view.ledger_entries}
          empty="No ledger has a line about this record."
        />
        <MoreTeams view={view} />
        <p class="actions">
          <a href={RECORDS}>Look another one up</a>
        </p>
      </>
    ),
  };
}

const lookup: Action = {
  needs: 'getRecord',
  run: async ({ api }, form) => {
    const after = readText(form, 'after');
    const body = { ...readRecord(form), ...(after === '' ? {} : { after }) };
    const [view, teams] = await Promise.all([api.call('getRecord', { body }), listTeamChoices(api)]);
    return renderRecord(view, teams, 'Record');
  },
};

const refresh: Action = {
  needs: 'refreshRecord',
  run: async ({ api }, form) => {
    const teams = await listTeamChoices(api);
    const body = { ...readRecord(form), team: findTeamId(teams, readText(form, 'team')) };
    const view = await api.call('refreshRecord', { body });
    return renderRecord(view, teams, 'The record was bought again');
  },
};

export const records: Page = {
  path: '/records',
  needs: 'getRecord',
  render: async (_, failed) => ({
    title: 'Records',
    body: (
      <>
        <p class="lead">When a record was bought and by which team, and where it can be erased.</p>
        <LookupForm failed={failed && { ...failed, action: RECORDS }} />
        <div class="columns">
          <FindPersonForm failed={failed} />
          <ReportForm failed={failed} />
        </div>
        <p class="actions">
          <a href={ERASURES}>Erasures and refused keys</a>
        </p>
      </>
    ),
  }),
  actions: { '/records': lookup, '/records/refresh': refresh, ...eraseActions, ...findActions },
};
