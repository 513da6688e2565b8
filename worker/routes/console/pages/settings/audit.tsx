// The audit log: who changed what, and when.
import { type AuditLine, auditList } from '../../../../../shared/api/admin-reports.ts';
import { type Column, Pager, Table, Time } from '../../components/data.tsx';
import { describeDetails } from '../../components/texts.ts';
import type { Page } from '../../context.ts';

const PAGE_SIZE = 50;

function describeActor({ email, session, admin_token: token }: AuditLine): string {
  if (email !== null) return email;
  const suffix = token === 'previous' ? ', previous admin token' : '';
  return session === null ? `Admin API${suffix}` : `Session ${session.slice(0, 6)}${suffix}`;
}

const columns: readonly Column<AuditLine>[] = [
  { label: 'When', render: ({ at }) => <Time at={at} /> },
  { label: 'Who', render: describeActor },
  { label: 'What', render: ({ action }) => action.replace('.', ': ').replaceAll('_', ' ') },
  { label: 'Target', render: ({ target }) => <code>{target}</code> },
  {
    label: 'Details',
    render: ({ detail }) => describeDetails(detail),
  },
];

const audit: Page = {
  path: '/settings/audit',
  render: async ({ api, query: { before } }) => {
    const { audit: lines, next } = await api.get('/audit', auditList, { before, limit: PAGE_SIZE });
    return {
      title: 'Audit log',
      body: (
        <>
          <p class="lead">Every change by an admin, newest first. Entries are never deleted.</p>
          <Table caption="Audit log" columns={columns} rows={lines} empty="Nothing was changed yet." />
          <Pager href={next === null ? undefined : `/console/settings/audit?before=${next}`} />
        </>
      ),
    };
  },
};

export const auditPages: readonly Page[] = [audit];
