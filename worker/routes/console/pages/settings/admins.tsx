// Admin tokens with roles: who there is, a new one, and their end.
import { adminRoleRights, adminRoles } from '../../../../../shared/api/admin-roles.ts';
import type { AdminTokenView } from '../../../../../shared/api/admin-tokens.ts';
import { Badge, Time } from '../../components/data.tsx';
import { Field, Form, NewSecret, readText, Select } from '../../components/form.tsx';
import { buildList, times } from '../../components/list.tsx';
import type { Action, Page } from '../../context.ts';

const ADMINS = '/console/settings/admins';

const list = buildList<AdminTokenView>({
  path: '/settings/admins',
  needs: 'listAdmins',
  title: 'Admins',
  caption: 'Admin tokens, the newest first',
  lead: 'Each admin, and each program such as a monitor, has a token with a role. It signs in to this console and to the admin API.',
  load: async ({ api }, _, failed) => {
    const { admins } = await api.call('listAdmins');
    const before = (
      <details class="card" open={failed !== undefined}>
        <summary>Create an admin token</summary>
        <Form action={ADMINS} submit="Create the admin token" failed={failed}>
          <Field label="Name" name="name" hint="Of the person or program." required maxlength={100} />
          <Select
            label="Role"
            name="role"
            options={adminRoles.map((role) => [role, `${role}: ${adminRoleRights[role]}`] as const)}
            value="viewer"
          />
          <Field label="Ends on" name="expires" type="date" hint="Empty: never." />
        </Form>
      </details>
    );
    return { rows: admins, next: null, before };
  },
  columns: [
    { label: 'Name', render: ({ name }) => name },
    { label: 'Role', render: ({ role }) => role },
    times('Created', ({ created_at }) => created_at),
    { label: 'Ends', render: ({ expires_at }) => (expires_at === null ? 'never' : <Time at={expires_at} />) },
    {
      label: '',
      render: ({ id, revoked_at }) =>
        revoked_at === null ? (
          <Form action={`${ADMINS}/${encodeURIComponent(id)}/revoke`} submit="Revoke" danger inline />
        ) : (
          <Badge tone="bad">revoked</Badge>
        ),
    },
  ],
  empty: 'There is no admin token yet: only ADMIN_TOKEN signs in.',
  actions: {
    revoke: {
      needs: 'revokeAdmin',
      done: 'The admin token was revoked, and its sessions have ended.',
    },
  },
});

const create: Action = {
  needs: 'createAdmin',
  run: async ({ api }, form) => {
    const expires = readText(form, 'expires');
    const body = {
      name: readText(form, 'name'),
      role: readText(form, 'role'),
      expires_at: expires === '' ? null : `${expires}T00:00:00Z`,
    };
    const { name, role, token } = await api.call('createAdmin', { body });
    return {
      title: 'Admin token',
      body: (
        <NewSecret text={`It is for ${name}, who may ${adminRoleRights[role]}.`} back={ADMINS}>
          <p>
            <code class="secret">{token}</code>
          </p>
        </NewSecret>
      ),
    };
  },
};

export const admins: Page = { ...list, actions: { ...list.actions, '/settings/admins': create } };
