// The audit log: one entry for each change, without secrets.
import { describe, expect, it } from 'vitest';
import type { AuditList } from '../../../../shared/api/admin-reports.ts';
import { admin } from './harness.ts';

describe('the audit log', () => {
  it('has one entry for each change, newest first, without secrets', async () => {
    const { ok, remove, team, token, problem, clock } = admin();
    clock.now = Date.UTC(2026, 8, 1);
    const { id } = await team({ name: 'Sales' });
    const issued = await token(id, { name: 'Sheet' });
    const at = `/teams/${id}`;
    await ok('PATCH', at, { name: 'Sellers' });
    await ok('PATCH', at, {});
    await ok('PUT', `${at}/budget`, { day: 5, month: null, spending: true });
    for (let sent = 0; sent < 2; sent++) {
      await ok('POST', `${at}/top-ups`, { credits: 9, note: 'words' }, { 'idempotency-key': 'one' });
    }
    await ok('PATCH', `${at}/tokens/${issued.id}`, { rate_per_minute: 5 });
    await ok('PATCH', `${at}/tokens/${issued.id}`, {});
    await ok('POST', '/provider/reconcile', { team: id, references: ['a', 'b'], charged: true });
    await remove(`${at}/tokens/${issued.id}`);
    await remove(`${at}/tokens/${issued.id}`);
    await remove(at);
    await remove(at);
    await problem('PATCH', at, { body: { name: 'Late' } });
    await problem('POST', '/teams', { body: {} });
    await ok('GET', '/teams');

    const { audit } = await ok<AuditList>('GET', '/audit');
    expect(audit.map(({ action, target }) => [action, target])).toEqual([
      ['team.delete', id],
      ['token.revoke', issued.id],
      ['provider.reconcile', id],
      ['token.change', issued.id],
      ['top_up.create', id],
      ['budget.change', id],
      ['team.change', id],
      ['token.create', issued.id],
      ['team.create', id],
    ]);
    expect(new Set(audit.map(({ at }) => at))).toEqual(new Set(['2026-09-01T00:00:00.000Z']));
    expect(audit.find(({ action }) => action === 'budget.change')?.detail).toEqual({
      day: 5,
      month: null,
      spending: true,
    });
    expect(JSON.stringify(audit)).not.toContain('words');
  });

  it('is paged', async () => {
    const { ok, pages, team } = admin();
    for (let at = 0; at < 7; at++) await team({ name: `Team ${at}` });
    const { audit: all } = await ok<AuditList>('GET', '/audit');
    const seen = await pages('/audit?', 3, ({ audit }: AuditList) => audit, 'before');
    expect(seen).toEqual(all);
    expect(all.length).toBeGreaterThanOrEqual(7);
  });
});
