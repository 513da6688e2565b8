// The erasure of a person or company: a preview in numbers, the erasure, its proof, and the lists of erasures and refused keys.
import type {
  ErasurePreview,
  ErasureView,
  RefusedKeyList,
} from '../../../../../shared/api/admin-erasures.ts';
import { familyLabels } from '../../../../../shared/families/registry.ts';
import { formatNumber } from '../../../../../shared/lib/format-count.ts';
import { Badge, Facts, Time } from '../../components/data.tsx';
import { Field, Form, Hidden, readText } from '../../components/form.tsx';
import { buildList, numbers } from '../../components/list.tsx';
import type { Action, FormValues, Page } from '../../context.ts';
import { ERASURES, getErasurePage, RECORDS, REFUSED_KEYS } from '../paths.ts';

const subjectLabels: Readonly<Record<string, string>> = {
  company: 'a company',
  employee: 'a person',
  job: 'a job',
  post: 'a post',
};

const describeSubject = (subject: string): string => subjectLabels[subject] ?? subject;

const Findings = ({
  preview: { name, records, texts, keys, cached, rows, more },
}: {
  preview: ErasurePreview;
}) => {
  const format = (found: number): string => (more ? `${formatNumber(found)} or more` : formatNumber(found));
  return (
    <Facts
      facts={[
        ['Name', name ?? 'not in the cache'],
        ['Keys that are refused from now on', format(keys)],
        ['Cached answers', format(cached)],
        ['Rows of bulk orders', format(rows)],
        ...records.map(
          (found) =>
            [
              `Of these, ${familyLabels[found.family].name}`,
              `${format(found.cached)} in the cache, ${format(found.rows)} rows`,
            ] as const,
        ),
        ['Records of others that name it', 'found and cleaned while erasing'],
        ['Saved searches that name it', format(texts.saved_searches)],
        ['Runs of the add-on with a title that names it', format(texts.runs)],
        ['Tables and their schedules', format(texts.tables)],
        ['Columns that are kept filled', format(texts.enrichments)],
        ['Names of spreadsheets', format(texts.spreadsheets)],
        ['Alerts that name it', format(texts.alert_messages)],
      ]}
    />
  );
};

export const readRecord = (form: FormValues) => ({
  family: readText(form, 'family'),
  key: readText(form, 'key'),
});

const previewErasure: Action = {
  needs: 'previewErasure',
  run: async ({ api }, form) => {
    const preview = await api.call('previewErasure', { body: readRecord(form) });
    const { family, key } = preview;
    return {
      title: 'Erase this?',
      body: (
        <section class="card">
          <p>
            <code>{key.value}</code> ({familyLabels[family].name}){' '}
            {preview.erased ? <Badge tone="bad">refused already</Badge> : null}
          </p>
          <Findings preview={preview} />
          <p>
            The person or company is removed from every store, under all its keys, for all teams, and every
            later look-up of it is refused with <code>#ERASED</code>. Values that are in spreadsheets stay
            there: tell your teams. Credits that it cost are not returned.{' '}
            <strong>This can’t be undone.</strong>
          </p>
          <Form action={`${RECORDS}/erase`} submit="Erase it everywhere" danger>
            <Hidden name="family" value={family} />
            <Hidden name="key" value={key.value} />
            <Field
              label="Reference"
              name="reference"
              hint="Number of the ticket, for the proof. No personal data of the erased."
              maxlength={100}
            />
            <Field
              label="Requester"
              name="requester"
              hint="Who requested it, for the proof, such as your data protection officer. Not the erased person."
              maxlength={100}
            />
          </Form>
          <p>
            <a href={RECORDS}>Keep it</a>
          </p>
        </section>
      ),
    };
  },
};

const erase: Action = {
  needs: 'erase',
  done: 'It was erased. Every later look-up of it is refused.',
  run: async ({ api }, form) => {
    const { id } = await api.call('erase', {
      body: {
        ...readRecord(form),
        reference: readText(form, 'reference'),
        requester: readText(form, 'requester'),
      },
    });
    return getErasurePage(id);
  },
};

const State = ({ erasure, now }: { erasure: ErasureView; now: number }) => {
  const { complete_at: until, progress } = erasure;
  if (until === null)
    return (
      <>
        <Badge tone="warning">in progress</Badge>{' '}
        {progress === null
          ? 'It continues every minute.'
          : `${progress.done} of ${progress.total} stores are done. It continues every minute.`}
      </>
    );
  return Date.parse(until) <= now ? (
    <Badge tone="good">complete</Badge>
  ) : (
    <Badge>complete; the last copies expire in some minutes</Badge>
  );
};

const Proof = ({ erasure, now }: { erasure: ErasureView; now: number }) => {
  const { id, subject, reference, requester, allowed_at, erased_at, complete_at: until, removed } = erasure;
  const isOpen = until === null || Date.parse(until) > now;
  return (
    <section class="card" id="proof" data-live={isOpen ? '5' : undefined}>
      <h2>Proof of erasure</h2>
      <p>
        All data of {describeSubject(subject)} were erased from this gateway on request. The keys themselves
        are not kept, only pseudonyms that refuse them.
      </p>
      <Facts
        facts={[
          ['State', <State erasure={erasure} now={now} />],
          ['Requested', <Time at={erased_at} />],
          ['No copy is left anywhere after', until === null ? 'not known yet' : <Time at={until} />],
          ['Number of the proof', <code>{id}</code>],
          ['Reference', reference ?? 'none'],
          ...(allowed_at === null
            ? []
            : ([['The company is allowed again since', <Time at={allowed_at} />]] as const)),
          ['Requester', requester ?? 'not stated'],
          ['Refused keys', formatNumber(removed.keys)],
          ['Removed from the cache', formatNumber(removed.kv)],
          ['Removed answers', formatNumber(removed.single_flight)],
          ['Removed result pages', formatNumber(removed.pages)],
          ['Removed rows of bulk orders', formatNumber(removed.rows)],
          ['Cleaned records of others', formatNumber(removed.mentions)],
        ]}
      />
      <p>
        <small>
          As of <Time at={new Date(now).toISOString()} />.
        </small>
      </p>
    </section>
  );
};

/** Sends the report as a file: a key or an address must be in no address of ours. */
const report: Action = {
  needs: 'reportSubject',
  run: async ({ api }, form) => {
    const key = readText(form, 'subject_key');
    const email = readText(form, 'email');
    const body = {
      ...(key === '' ? {} : { family: readText(form, 'subject_family'), key }),
      ...(email === '' ? {} : { email }),
    };
    const response = await api.fetch('reportSubject', { body });
    const headers = new Headers(response.headers);
    headers.set('content-disposition', 'attachment; filename="subject-report.json"');
    return new Response(response.body, { headers });
  },
};

/** Changes of the page of records. */
export const eraseActions: NonNullable<Page['actions']> = {
  '/records/erase/preview': previewErasure,
  '/records/erase': erase,
  '/records/report': report,
};

const erasureProof: Page = {
  path: '/records/erasures/:id',
  needs: 'getErasure',
  render: async ({ api, now, params: { id = '' } }) => {
    const erasure = await api.call('getErasure', { params: { id } });
    return {
      title: `Erasure of ${describeSubject(erasure.subject)}`,
      body: (
        <>
          <Proof erasure={erasure} now={now} />
          <p class="actions">
            Print this page to hand the proof over. <a href={ERASURES}>All erasures</a>
          </p>
        </>
      ),
    };
  },
};

const erasures = buildList<ErasureView>({
  path: '/records/erasures',
  needs: 'listErasures',
  title: 'Erasures',
  caption: 'Erasures, newest first',
  lead: 'People and companies that were erased. Each erasure has a proof to print.',
  load: async ({ api }, query) => {
    const { erasures: rows, next } = await api.call('listErasures', { query });
    return { rows, next };
  },
  columns: [
    {
      label: 'Requested',
      render: ({ id, erased_at }) => (
        <a href={getErasurePage(id)}>
          <Time at={erased_at} />
        </a>
      ),
    },
    { label: 'Reference', render: ({ reference }) => reference ?? '' },
    { label: 'Of', render: ({ subject }) => describeSubject(subject) },
    {
      label: 'State',
      render: ({ complete_at }) =>
        complete_at === null ? (
          <Badge tone="warning">in progress</Badge>
        ) : (
          <Badge tone="good">complete</Badge>
        ),
    },
    numbers('Refused keys', ({ removed }) => removed.keys),
    numbers('Removed copies', ({ removed }) => removed.kv + removed.single_flight),
    numbers('Removed rows', ({ removed }) => removed.rows),
    numbers('Cleaned others', ({ removed }) => removed.mentions),
  ],
  empty: 'Nobody was erased yet.',
  below: () => (
    <>
      <a href={REFUSED_KEYS}>Refused keys</a>
      <a href={RECORDS}>Look a record up</a>
    </>
  ),
});

const refusedKeys = buildList<RefusedKeyList['keys'][number]>({
  path: '/records/refused-keys',
  needs: 'listRefusedKeys',
  title: 'Refused keys',
  caption: 'Refused keys',
  load: async ({ api }, query) => {
    const { total, keys: rows, next } = await api.call('listRefusedKeys', { query });
    const lead = (
      <>
        {formatNumber(total)} in all. An owner can allow a company again; people stay refused. The keys
        themselves are not kept: <a href={RECORDS}>look a key up</a> to see whether it is refused.
      </>
    );
    return { rows, next, lead };
  },
  columns: [
    { label: 'Pseudonym', render: ({ pseudonym }) => <code>{pseudonym}</code> },
    {
      label: 'Refused since',
      render: ({ erasure, refused_at }) => (
        <a href={getErasurePage(erasure)}>
          <Time at={refused_at} />
        </a>
      ),
    },
    { label: 'Of', render: ({ subject }) => describeSubject(subject) },
    {
      label: '',
      render: ({ erasure, subject }) =>
        subject === 'company' ? (
          <Form
            action={`${REFUSED_KEYS}/${encodeURIComponent(erasure)}/allow`}
            submit="Allow the company"
            inline
          />
        ) : null,
    },
  ],
  actions: {
    allow: {
      needs: 'allowErased',
      done: 'The company is allowed again: the next look-up buys it. All its keys have left this list.',
    },
  },
  empty: 'No key is refused.',
  below: () => <a href={ERASURES}>All erasures</a>,
});

export const erasurePages = [erasures, refusedKeys, erasureProof] as const;
