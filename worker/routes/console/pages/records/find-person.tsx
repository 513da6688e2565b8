// Finds a person by name, company and e-mail address: the form, the progress of the search, and the people to choose from.
import {
  type Employment,
  type FoundPersonView,
  type PersonSearchView,
  personSearchHours,
} from '../../../../../shared/api/admin-person-searches.ts';
import { formatNumber } from '../../../../../shared/lib/format-count.ts';
import { createChange } from '../../change.ts';
import { Badge, type Column, Facts, Table, Time, type Tone } from '../../components/data.tsx';
import { Field, Form, Hidden, readText } from '../../components/form.tsx';
import type { Action, FailedForm, Page } from '../../context.ts';
import { getPersonSearchPage, PERSON_SEARCHES, RECORDS } from '../paths.ts';

export const FindPersonForm = ({ failed }: { failed?: FailedForm | undefined }) => (
  <section class="card">
    <h2>Find a person</h2>
    <p>Finds the records of a person whose key you don’t know, to erase them or to report them.</p>
    <Form action={PERSON_SEARCHES} submit="Find the person" failed={failed}>
      <Field label="Name" name="name" hint="In any order, with or without accents." maxlength={200} />
      <Field
        label="Company"
        name="company"
        hint="Name or website, of a present or past job."
        maxlength={200}
      />
      <Field
        label="E-mail address"
        name="person_email"
        hint="Its domain stands for the company. Without a name, the words before the @ stand for it."
        maxlength={320}
      />
    </Form>
    <p>
      <small>
        Free. It reads all stored entries, which can take minutes. Terms and results are encrypted and deleted
        after {personSearchHours} hours; no log has them.
      </small>
    </p>
  </section>
);

const find: Action = {
  needs: 'createPersonSearch',
  run: async ({ api }, form) => {
    const terms = {
      name: readText(form, 'name'),
      company: readText(form, 'company'),
      email: readText(form, 'person_email'),
    };
    const given = Object.fromEntries(Object.entries(terms).filter(([, text]) => text !== ''));
    const { id } = await api.call('createPersonSearch', { body: given });
    return getPersonSearchPage(id);
  },
};

const stop = createChange('stopPersonSearch', 'The search was stopped.', ({ id = '' }) =>
  getPersonSearchPage(id),
);

/** Says how a search has read its terms. */
const Compared = ({ search: { terms, compared } }: { search: PersonSearchView }) => {
  const { name, companies } = compared;
  const isFromAddress = (terms.name ?? '') === '' && name !== null;
  const hasNoCompany = terms.email !== undefined && companies.length === 0;
  return (
    <Facts
      facts={[
        ['Name', name === null ? 'any' : isFromAddress ? `${name} (the words before the @)` : name],
        [
          'Company',
          hasNoCompany
            ? 'any: the address is at a mail service, which names no company'
            : companies.length === 0
              ? 'any'
              : companies.join(' or '),
        ],
      ]}
    />
  );
};

const Progress = ({ search: { id, state, searched, total } }: { search: PersonSearchView }) => {
  const of = total === null ? '' : ` of ${formatNumber(total)}`;
  if (state === 'complete')
    return (
      <p>
        <Badge tone="good">complete</Badge> Searched {formatNumber(searched)}
        {of} stored entries. Records bought while it ran, or in the minutes before, may be missing.
      </p>
    );
  if (state === 'stopped')
    return (
      <p>
        <Badge tone="warning">stopped</Badge> Searched {formatNumber(searched)}
        {of} stored entries: others may be of the person, too.
      </p>
    );
  return (
    <>
      <p>
        <Badge>in progress</Badge>{' '}
        {total === null
          ? 'The stored entries are counted.'
          : `Searched ${formatNumber(searched)}${of} stored entries.`}
      </p>
      <Form action={`${getPersonSearchPage(id)}/stop`} submit="Stop the search" second />
    </>
  );
};

const employmentLabels: Readonly<Record<Employment, readonly [string, Tone] | null>> = {
  current: ['works there', 'good'],
  past: ['worked there', 'warning'],
  unknown: ['no job is stored', 'neutral'],
  elsewhere: null,
};

const EmploymentBadge = ({ employment }: Pick<FoundPersonView, 'employment'>) => {
  const [label, tone] = (employment === null ? null : employmentLabels[employment]) ?? [];
  return label === undefined ? null : <Badge tone={tone ?? 'neutral'}>{label}</Badge>;
};

const Details = ({ text }: { text: string | null }) =>
  text === null ? null : (
    <div>
      <small>{text}</small>
    </div>
  );

/** Says in how many places a person is stored. */
function listPlaces({ cached, pages, rows, mentions }: FoundPersonView['found']): string {
  const places: readonly (readonly [number, string])[] = [
    [cached, 'in the cache'],
    [pages, 'in pages of searches'],
    [rows, 'in bulk orders'],
    [mentions, 'in records of others'],
  ];
  return places
    .flatMap(([found, where]) => (found === 0 ? [] : `${formatNumber(found)} ${where}`))
    .join(', ');
}

const listColumns = (email: string): readonly Column<FoundPersonView>[] => [
  {
    label: 'Person',
    render: ({ name, headline, position }) => (
      <div>
        {name}
        <Details text={headline === position ? null : headline} />
      </div>
    ),
  },
  {
    label: 'Company',
    render: ({ position, company, employment }) => (
      <div>
        {company} <EmploymentBadge employment={employment} />
        <Details text={position} />
      </div>
    ),
  },
  { label: 'Place', render: ({ place }) => place },
  { label: 'Key', render: ({ key }) => <code class="address">{key.value}</code> },
  { label: 'Stored', render: ({ found }) => listPlaces(found) },
  {
    label: 'Actions',
    render: ({ family, key: { value } }) => (
      <div>
        <Form action={`${RECORDS}/erase/preview`} submit="Preview the erasure" second>
          <Hidden name="family" value={family} />
          <Hidden name="key" value={value} />
        </Form>
        <Form action={`${RECORDS}/report`} submit="Download the report" second>
          <Hidden name="subject_family" value={family} />
          <Hidden name="subject_key" value={value} />
          <Hidden name="email" value={email} />
        </Form>
      </div>
    ),
  },
];

const Results = ({ search: { state, terms, people, more } }: { search: PersonSearchView }) => {
  const columns = listColumns(terms.email ?? '');
  const elsewhere = people.filter(({ employment }) => employment === 'elsewhere');
  const fitting = people.filter(({ employment }) => employment !== 'elsewhere');
  return (
    <>
      <Table
        caption="People who fit, the most probable first"
        columns={columns}
        rows={fitting}
        empty={
          state === 'running' ? 'Nobody was found so far.' : 'Nobody who fits was found. Try fewer terms.'
        }
      />
      {elsewhere.length === 0 ? null : (
        <details open={fitting.length === 0}>
          <summary>Same name at other companies: {formatNumber(elsewhere.length)}</summary>
          <Table
            caption="People of the same name at other companies"
            columns={columns}
            rows={elsewhere}
            empty=""
          />
        </details>
      )}
      {more ? <p class="notice">More people fit than are listed. Add the company or the full name.</p> : null}
    </>
  );
};

export const personSearch: Page = {
  path: '/records/people/:id',
  needs: 'getPersonSearch',
  render: async ({ api, params: { id = '' } }) => {
    const search = await api.call('getPersonSearch', { params: { id } });
    return {
      title: 'Find a person',
      body: (
        <>
          <p class="lead">
            Compare position, company and place before you choose: names are not unique. The next page shows
            what an erasure would find, and erases nothing yet.
          </p>
          <div id="search" data-live={search.state === 'running' ? '2' : undefined}>
            <section class="card">
              <Compared search={search} />
              <Progress search={search} />
            </section>
            <Results search={search} />
          </div>
          <p class="actions">
            <a href={RECORDS}>Find another person</a>
            <small>
              This page is deleted on <Time at={search.expires_at} />.
            </small>
          </p>
        </>
      ),
    };
  },
  actions: { '/records/people/:id/stop': stop },
};

/** Changes of the page of records. */
export const findActions: NonNullable<Page['actions']> = { '/records/people': find };
