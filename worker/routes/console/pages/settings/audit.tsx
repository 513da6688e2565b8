// The audit log: who changed what, and when.
import type { AuditLine } from '../../../../../shared/api/admin-reports.ts';
import { buildList, times } from '../../components/list.tsx';
import { describeDetails } from '../../components/texts.ts';

function describeActor({ email, session, admin_token: token }: AuditLine): string {
  if (email !== null) return email;
  const suffix = token === 'previous' ? ', previous admin token' : '';
  return session === null ? `Admin API${suffix}` : `Session ${session.slice(0, 6)}${suffix}`;
}

export const audit = buildList<AuditLine>({
  path: '/settings/audit',
  title: 'Audit log',
  caption: 'Audit log',
  lead: 'Every change by an admin, newest first. Entries are never deleted.',
  cursor: 'before',
  load: async ({ api }, query) => {
    const { audit: rows, next } = await api.call('listAuditEntries', { query });
    return { rows, next };
  },
  columns: [
    times('When', ({ at }) => at),
    { label: 'Who', render: describeActor },
    { label: 'What', render: ({ action }) => action.replace('.', ': ').replaceAll('_', ' ') },
    { label: 'Target', render: ({ target }) => <code>{target}</code> },
    { label: 'Details', render: ({ detail }) => describeDetails(detail) },
  ],
  empty: 'Nothing was changed yet.',
});
